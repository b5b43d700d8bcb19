import type { ProgressNotice as Shown } from "../declare/interaction-context.ts";
import type { Words } from "../draw/words.ts";

/** A webhook may edit about 5 times in 2 s (docs/services/discord.md#rate-limits); progress must leave room for the answer. */
const spacingMs = 1500;

/** Sends progress with gaps between the edits, and never an older state after a newer one. */
export type ProgressReporter = ReturnType<typeof createProgressReporter>;

export function createProgressReporter(
  send: (progress: Shown) => Promise<void>,
  onFailure: (error: unknown) => void,
) {
  let last: Shown | undefined;
  let next: Shown | undefined;
  let sending: Promise<void> | undefined;
  let stopped = false;
  let wake: (() => void) | undefined;

  async function drain(): Promise<void> {
    while (next !== undefined && !stopped) {
      const current = next;
      next = undefined;
      await send(current).catch(onFailure);
      if (stopped) break;
      const rest = Promise.withResolvers<void>();
      const timer = setTimeout(rest.resolve, spacingMs);
      wake = () => {
        clearTimeout(timer);
        rest.resolve();
      };
      await rest.promise;
    }
    sending = undefined;
  }

  function put(progress: Shown): void {
    if (stopped) return;
    next = progress;
    sending ??= drain();
  }

  return {
    show: (progress: Shown): void => {
      last = progress;
      put(progress);
    },
    /** Adds the number of people ahead in the queue to what was shown last; without a number it removes that line. */
    queue: (ahead: number | undefined, words: Words): void => {
      const shown = last ?? { title: words.say("common.queue.working") };
      const place = ahead === undefined ? {} : { text: words.say("common.queue.place", { ahead }) };
      put({ ...shown, ...place });
    },
    /** Waits for an edit that is under way; nothing is sent after that. */
    stop: async () => {
      stopped = true;
      wake?.();
      await sending;
    },
  };
}
