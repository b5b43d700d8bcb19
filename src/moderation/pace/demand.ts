import type { Clock } from "../../clock.ts";
import type { Watch, WatchRecords } from "../records/index.ts";
import { dailyUnitsFor, type PollDemand } from "./shares.ts";

const freshMs = 60_000;
/** A watch that could not poll for this long leaves its part to the others. */
const unableMs = 30 * 60_000;

/** A key reads the list of published comments alone. */
const pollUnitsByKey = 1;

export type DemandReader = ReturnType<typeof createDemandReader>;

/** Reads how many units the watches want that share one project. */
export function createDemandReader(
  records: Pick<WatchRecords, "demand" | "readAll">,
  { now }: Pick<Clock, "now">,
) {
  let cached: { readonly at: number; readonly demand: Promise<PollDemand> } | undefined;

  async function read(guildId?: string): Promise<PollDemand> {
    const { watches, channels } = await records.demand({ guildId, unableFrom: now() - unableMs });
    return {
      watches: watches.map(({ paceMs, costUnits, count }) => {
        return { dailyUnits: dailyUnitsFor(paceMs, costUnits), count };
      }),
      channels,
    };
  }

  return {
    /** The demand of all servers, at most a minute old. @throws ServiceError `store_unavailable`. */
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
    /** What a server's watches want of its own key: this one, and those that have nothing else. @throws as `ofGuild` */
    async ofKey(guildId: string, { id }: Pick<Watch, "id">): Promise<PollDemand> {
      const all = await records.readAll(guildId);
      const polling = all.filter((one) => one.id === id || (one.isKeyOnly && !one.paused));
      const watches = polling.map(({ paceMs }) => ({
        dailyUnits: dailyUnitsFor(paceMs, pollUnitsByKey),
        count: 1,
      }));
      return { watches, channels: new Set(polling.map(({ source }) => source)).size };
    },
    /** Forgets the cached demand, after a watch changed. */
    renew: () => {
      cached = undefined;
    },
  };
}
