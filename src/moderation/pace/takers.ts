import type { TroubleCode, Watch, WatchProgress } from "../../store/index.ts";
import type { ModerationOptions } from "../parts.ts";
import type { Taker } from "./shares.ts";

/** Who polls of the project that all linked channels share. */
export interface Takers {
  /** Read anew after a while. @throws ServiceError `store_unavailable`. */
  all(): Promise<readonly Taker[]>;
  /** A watch was changed. */
  renew(): void;
}

const keptMs = 60_000;
/** One that can't poll for so long leaves its part to the others; a try now and then takes none. */
const idleMs = 30 * 60_000;
const idling = ["link_broken", "link_missing", "channel_gone"] as const satisfies TroubleCode[];

export function takerOf(guildId: string, { paceMs, states }: Watch): Taker {
  return { guildId, paceMs, cost: states.length };
}

export function createTakers({ store, clock }: Pick<ModerationOptions, "store" | "clock">): Takers {
  let kept: { readonly at: number; readonly all: Promise<readonly Taker[]> } | undefined;

  async function read(): Promise<readonly Taker[]> {
    const { watches, progress } = store.moderation;
    const [stored, notes] = await Promise.all([watches.all(), progress.all()]);
    const idle = new Set(notes.flatMap(([guildId, one]) => (isIdle(one) ? [guildId] : [])));
    const known = await Promise.all(
      stored.map(async ([guildId, watch]) => {
        if (watch.paused !== undefined) return [];
        if (!idle.has(guildId)) return [takerOf(guildId, watch)];
        const own = await progress.read(guildId, watch.id);
        return own.state === "found" && isIdle(own.value) ? [] : [takerOf(guildId, watch)];
      }),
    );
    return known.flat();
  }

  /** Undone as soon as it polls again, because that ends its troubles. */
  function isIdle({ troubles }: WatchProgress): boolean {
    return idling.some((code) => {
      const since = troubles[code]?.since;
      return since !== undefined && clock.now() - since >= idleMs;
    });
  }

  return {
    all() {
      if (kept !== undefined && clock.now() - kept.at < keptMs) return kept.all;
      const entry = { at: clock.now(), all: read() };
      kept = entry;
      entry.all.catch(() => {
        if (kept === entry) kept = undefined;
      });
      return entry.all;
    },
    renew: () => {
      kept = undefined;
    },
  };
}
