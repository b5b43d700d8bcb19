import type { Clock } from "../../clock.ts";
import type { WatchRecords } from "../records/index.ts";
import { type Demand, dailyUnitsOf } from "./shares.ts";

const freshMs = 60_000;
/** One that can't poll for so long leaves its part to the others. */
const unableMs = 30 * 60_000;

export type DemandReader = ReturnType<typeof createDemandReader>;

/** What the watches poll for that share the project of all linked channels. */
export function createDemandReader(
  records: Pick<WatchRecords, "demand">,
  { now }: Pick<Clock, "now">,
) {
  let cached: { readonly at: number; readonly demand: Promise<Demand> } | undefined;

  async function read(guildId?: string): Promise<Demand> {
    const { watches, guilds } = await records.demand({ guildId, unableFrom: now() - unableMs });
    return {
      watches: watches.map(({ paceMs, costUnits, count }) => {
        return { dailyUnits: dailyUnitsOf(paceMs, costUnits), count };
      }),
      guilds,
    };
  }

  return {
    /** Of all guilds, as it was within the last minute. @throws ServiceError `store_unavailable`. */
    ofAll() {
      if (cached !== undefined && now() - cached.at < freshMs) return cached.demand;
      const entry = { at: now(), demand: read() };
      cached = entry;
      entry.demand.catch(() => {
        if (cached === entry) cached = undefined;
      });
      return entry.demand;
    },
    /** @throws ServiceError `store_unavailable`. */
    ofGuild: (guildId: string) => read(guildId),
    /** A watch was changed. */
    renew: () => {
      cached = undefined;
    },
  };
}
