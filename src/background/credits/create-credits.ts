import { isGuildErased } from "../../errors.ts";
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
      if (isGuildErased(error)) return;
      here.unsaved = added(here.unsaved, differences);
      onFailure?.(error);
    }
  };

  /** In thousandths, with what is set aside. */
  function usedBy({ userId, guildId }: CreditSpender, at: CreditRecordAt, stored: CreditCounts) {
    const here = knownAt(at);
    // Sums only grow, so that the larger one is the later one: another picture may have been counted meanwhile.
    const saved = Math.max(sumOfPerson(userId, stored), sumOfPerson(userId, here.stored));
    const pending = held.get(`${guildId} ${userId}`) ?? 0;
    return saved + sumOfPerson(userId, here.unsaved) + pending;
  }

  interface Wanted {
    readonly price: number;
    readonly budget: CreditBudget | undefined;
    /** Thousandths to set aside if it is granted. */
    readonly aside: number;
  }

  /** Records that can't be read refuse nobody anything. */
  async function judge(spender: CreditSpender, { price, budget, aside }: Wanted): Promise<void> {
    if (budget !== undefined) {
      const at = { guildId: spender.guildId, day: dayOf(now()) };
      const read = await records.read(at);
      // From here to setting it aside nothing is waited for, so that two can't both take the last credits.
      const used = usedBy(spender, at, read.state === "found" ? read.value : {});
      refuseBeyond({ price, budget, used, endsAt: endOfDay(now()) });
    }
    if (aside > 0) setAside(spender, aside);
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
      const aside = thousandths(price);
      await judge(spender, { price, budget, aside });
      return () => setAside(spender, -aside);
    },
    afford: (spender, price, budget) => judge(spender, { price, budget, aside: 0 }),
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
