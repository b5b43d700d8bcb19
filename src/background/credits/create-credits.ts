import { refuseBeyond } from "./budget.ts";
import { dayOf, endOfDay, lastDays } from "./days.ts";
import { added, differencesOf, linesOf, sumOfPerson, thousandths } from "./lines.ts";
import type {
  CreditBudget,
  CreditCounts,
  CreditRecordAt,
  CreditSpender,
  Credits,
  CreditsOptions,
  CreditsSpent,
} from "./types.ts";

/** A day of a guild as it was last written here, and what could not be written. */
interface Known {
  readonly at: CreditRecordAt;
  stored: CreditCounts;
  unsaved: CreditCounts;
}

/** Counts what guilds spend at the image service, a record for each guild and UTC day. One for the whole process. */
export function createCredits({ records, now, onFailure }: CreditsOptions): Credits {
  const erasures = new Map<string, number>();
  const erasuresOf = (guildId: string) => erasures.get(guildId) ?? 0;
  const known = new Map<string, Known>();
  /** Thousandths that are set aside, by guild and person. */
  const held = new Map<string, number>();

  function knownAt(at: CreditRecordAt): Known {
    const before = known.get(at.guildId);
    if (before?.at.day === at.day) return before;
    const fresh = { at, stored: {}, unsaved: {} };
    known.set(at.guildId, fresh);
    return fresh;
  }

  async function spentOn(guildId: string, day: string): Promise<readonly CreditsSpent[]> {
    const read = await records.read({ guildId, day });
    if (read.state === "failed") throw read.error;
    const here = known.get(guildId);
    const unsaved = here?.at.day === day ? here.unsaved : {};
    return linesOf(day, added(read.state === "found" ? read.value : {}, unsaved));
  }

  const count: Credits["count"] = async (spender, charged) => {
    const { guildId } = spender;
    const here = knownAt({ guildId, day: dayOf(now()) });
    const differences = added(here.unsaved, differencesOf(spender, charged));
    here.unsaved = {};
    try {
      here.stored = await records.add(here.at, differences);
    } catch (error) {
      here.unsaved = added(here.unsaved, differences);
      onFailure?.(error);
    }
  };

  /** In thousandths, with what is set aside. Records that can't be read refuse nobody anything. */
  async function usedBy({ guildId, userId }: CreditSpender): Promise<number> {
    const at = { guildId, day: dayOf(now()) };
    const read = await records.read(at);
    const stored = read.state === "found" ? read.value : {};
    const here = knownAt(at);
    // Sums only grow, so that the larger one is the later one: another picture may have been counted meanwhile.
    const saved = Math.max(sumOfPerson(userId, stored), sumOfPerson(userId, here.stored));
    const pending = held.get(`${guildId} ${userId}`) ?? 0;
    return saved + sumOfPerson(userId, here.unsaved) + pending;
  }

  async function afford(spender: CreditSpender, price: number, budget: CreditBudget | undefined) {
    if (budget === undefined) return;
    refuseBeyond({ price, budget, used: await usedBy(spender), endsAt: endOfDay(now()) });
  }

  function setAside({ guildId, userId }: CreditSpender, amount: number): void {
    const key = `${guildId} ${userId}`;
    const sum = (held.get(key) ?? 0) + amount;
    if (sum === 0) held.delete(key);
    else held.set(key, sum);
  }

  return {
    count,
    counter(spender) {
      const then = erasuresOf(spender.guildId);
      return async (charged) => {
        // What a guild had under way when it was erased leaves no trace.
        if (erasuresOf(spender.guildId) === then) await count(spender, charged);
      };
    },
    async hold(spender, price, budget) {
      // Once it is judged, nothing is waited for until it is set aside.
      await afford(spender, price, budget);
      const amount = thousandths(price);
      setAside(spender, amount);
      return () => setAside(spender, -amount);
    },
    afford,
    async spent(guildId, days) {
      const names = lastDays(now(), days);
      return (await Promise.all(names.map((day) => spentOn(guildId, day)))).flat();
    },
    forget(guildId) {
      erasures.set(guildId, erasuresOf(guildId) + 1);
      known.delete(guildId);
    },
  };
}
