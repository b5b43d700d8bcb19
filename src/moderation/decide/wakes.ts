import type { Clock } from "../../clock.ts";
import { keyOf } from "../items.ts";
import type { ItemRef } from "../types.ts";

/** Comments that were put off, until their time has come. */
export interface Wakes {
  set(guildId: string, ref: ItemRef, until: number): void;
  drop(guildId: string, watchId?: string): void;
  close(): void;
}

/** Timers of Node can't wait longer than 24 days. */
const longestMs = 6 * 3_600_000;
const againMs = 30_000;

/** `wake` that throws is tried again. */
export function createWakes(
  clock: Clock,
  wake: (guildId: string, ref: ItemRef) => Promise<void>,
): Wakes {
  const waiting = new Map<string, { readonly stop: () => void } & ItemRef & { guildId: string }>();

  function set(guildId: string, ref: ItemRef, until: number): void {
    const key = `${guildId}:${keyOf(ref)}`;
    waiting.get(key)?.stop();
    const waitMs = Math.min(longestMs, Math.max(0, until - clock.now()));
    const stop = clock.after(waitMs, () => {
      waiting.delete(key);
      if (clock.now() < until) return set(guildId, ref, until);
      wake(guildId, ref).catch(() => set(guildId, ref, clock.now() + againMs));
    });
    waiting.set(key, { ...ref, guildId, stop });
  }

  return {
    set,
    drop(guildId, watchId) {
      for (const [key, one] of waiting) {
        if (one.guildId !== guildId || (watchId !== undefined && one.watchId !== watchId)) continue;
        one.stop();
        waiting.delete(key);
      }
    },
    close() {
      for (const { stop } of waiting.values()) stop();
      waiting.clear();
    },
  };
}
