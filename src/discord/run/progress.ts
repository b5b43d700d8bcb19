import type { Progress as Shown } from "../declare/ctx.ts";
import type { Words } from "../draw/words.ts";

/** Webhook edits share about 5 in 2 s (facts/discord.md: Webhooks); progress must leave room for the answer. */
const spacingMs = 1500;

/** Spaces progress out and never lets an older word arrive after a newer one. */
export interface Progress {
  show(progress: Shown): void;
  /** Adds how many go before the work to what it showed last; without a number the work goes on. */
  queue(ahead: number | undefined, words: Words): void;
  /** Waits for an edit under way; nothing is sent afterwards. */
  stop(): Promise<void>;
}

export function createProgress(
  send: (progress: Shown) => Promise<void>,
  onFailure: (error: unknown) => void,
): Progress {
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
      await rest();
    }
    sending = undefined;
  }

  function rest(): Promise<void> {
    if (stopped) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, spacingMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  function put(progress: Shown): void {
    if (stopped) return;
    next = progress;
    sending ??= drain();
  }

  return {
    show: (progress) => {
      last = progress;
      put(progress);
    },
    queue: (ahead, words) => {
      const shown = last ?? { title: words.say("common.queue.working") };
      const place = ahead === undefined ? {} : { text: words.say("common.queue.place", { ahead }) };
      put({ ...shown, ...place });
    },
    stop: async () => {
      stopped = true;
      wake?.();
      await sending;
    },
  };
}
