import { dayOf, lastDays } from "./days.ts";
import { differencesOf, linesOf } from "./lines.ts";
import type { Credits, CreditsOptions, CreditsSpent } from "./types.ts";

/** Counts what guilds spend at the image service, a record for each guild and UTC day. One for the whole process. */
export function createCredits({ records, now, onFailure }: CreditsOptions): Credits {
  const erasures = new Map<string, number>();
  const erasuresOf = (guildId: string) => erasures.get(guildId) ?? 0;

  async function spentOn(guildId: string, day: string): Promise<readonly CreditsSpent[]> {
    const read = await records.read({ guildId, day });
    if (read.state === "failed") throw read.error;
    return read.state === "found" ? linesOf(day, read.value) : [];
  }

  const count: Credits["count"] = async (spender, charged) => {
    try {
      const at = { guildId: spender.guildId, day: dayOf(now()) };
      await records.add(at, differencesOf(spender, charged));
    } catch (error) {
      onFailure?.(error);
    }
  };

  return {
    count,
    counter(spender) {
      const then = erasuresOf(spender.guildId);
      return async (charged) => {
        // What a guild had under way when it was erased leaves no trace.
        if (erasuresOf(spender.guildId) === then) await count(spender, charged);
      };
    },
    async spent(guildId, days) {
      const names = lastDays(now(), days);
      return (await Promise.all(names.map((day) => spentOn(guildId, day)))).flat();
    },
    forget(guildId) {
      erasures.set(guildId, erasuresOf(guildId) + 1);
    },
  };
}
