import type { Progress as Shown } from "../declare/ctx.ts";

/** Webhook edits share about 5 in 2 s (facts/discord.md: Webhooks); progress must leave room for the answer. */
const spacingMs = 1500;

/** Spaces progress out and never lets an older word arrive after a newer one. */
export interface Progress {
  show(progress: Shown): void;
  /** Waits for an edit under way; nothing is sent afterwards. */
  stop(): Promise<void>;
}

export function createProgress(
  send: (progress: Shown) => Promise<void>,
  onFailure: (error: unknown) => void,
): Progress {
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

  return {
    show: (progress) => {
      if (stopped) return;
      next = progress;
      sending ??= drain();
    },
    stop: async () => {
      stopped = true;
      wake?.();
      await sending;
    },
  };
}
