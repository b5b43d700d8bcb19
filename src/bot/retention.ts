import type { Log } from "../log.ts";
import { platformDataMs, type Store } from "../store/index.ts";

export interface RetentionOptions {
  readonly store: Pick<Store, "credentials" | "leases" | "forgetOld">;
  readonly log: Pick<Log, "info" | "warn">;
  readonly now: () => number;
}

export interface Retention {
  /** Forgets now what is due. Never throws. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

const dayMs = 24 * 3_600_000;
/** Another process may have begun the day's round; if it was killed, the next day's finishes it. */
const holdMs = 3_600_000;

/**
 * Forgets once a day, from now on, what the video service told and nobody read again, and what is over. A day early: the
 * next round would be late.
 */
export function startRetention({ store, log, now }: RetentionOptions): Retention {
  async function sweep(): Promise<void> {
    try {
      const lease = await store.leases.take("retention", holdMs);
      if (lease === undefined) return;
      const dropped = await store.credentials.dropTitles(now() - platformDataMs + dayMs);
      if (dropped > 0) log.info("titles nobody read again are forgotten", { count: dropped });
      const forgotten = await store.forgetOld();
      if (Object.values(forgotten).some((count) => count > 0))
        log.info("old records are forgotten", forgotten);
      await lease.release();
    } catch (error) {
      log.warn("what is old was not forgotten", { error });
    }
  }

  let sweeping = sweep();
  const timer = setInterval(() => {
    sweeping = sweep();
  }, dayMs);
  timer.unref();
  return {
    sweep,
    close: async () => {
      clearInterval(timer);
      await sweeping;
    },
  };
}
