import { AccessError, InputError, ServiceError } from "../../errors.ts";
import { workMs } from "../draw/limits.ts";

/** Work under way, so that its author can cancel it and a shutdown can wait for it. */
export interface Jobs {
  start(id: string, owner: { readonly guildId: string; readonly userId: string }): Job;
  /** Whether there was such work of this person. @throws AccessError `not_yours`. */
  cancel(id: string, by: { readonly guildId: string; readonly userId: string }): boolean;
  readonly running: number;
  /** Waits for what runs, then aborts the rest. */
  drain(ms: number): Promise<void>;
}

export interface Job {
  readonly signal: AbortSignal;
  end(): void;
}

interface Entry {
  readonly guildId: string;
  readonly userId: string;
  readonly abort: AbortController;
}

export function createJobs(): Jobs {
  const entries = new Map<string, Entry>();
  let idle: (() => void) | undefined;

  return {
    start(id, owner) {
      const abort = new AbortController();
      const timer = setTimeout(() => abort.abort(tookTooLong()), workMs);
      timer.unref();
      entries.set(id, { ...owner, abort });
      return {
        signal: abort.signal,
        end: () => {
          clearTimeout(timer);
          entries.delete(id);
          if (entries.size === 0) idle?.();
        },
      };
    },
    cancel(id, by) {
      const entry = entries.get(id);
      if (entry === undefined || entry.guildId !== by.guildId) return false;
      if (entry.userId !== by.userId) throw notYours();
      entry.abort.abort(cancelled());
      return true;
    },
    get running() {
      return entries.size;
    },
    async drain(ms) {
      await settledWithin(ms);
      for (const { abort } of entries.values()) abort.abort(restarting());
      // What was aborted still has its failure to tell.
      await settledWithin(ms / 4);
    },
  };

  function settledWithin(ms: number): Promise<void> {
    if (entries.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      idle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

export function notYours(): AccessError {
  return new AccessError("pressed by somebody else", {
    code: "not_yours",
    hint: "Only the person who ran the command can use them. Run the command yourself to get your own.",
  });
}

function cancelled(): InputError {
  return new InputError("cancelled by its author", {
    code: "cancelled",
    hint: "Stopped as you wished. What was under way at a service may still have been charged.",
  });
}

function tookTooLong(): ServiceError {
  return new ServiceError("no result within the interaction's time", {
    code: "took_too_long",
    hint: "Discord allows 15 minutes for an answer. Try it again, with less at once.",
    outcome: "unknown",
  });
}

function restarting(): ServiceError {
  return new ServiceError("stopped for a restart", {
    code: "restarting",
    hint: "Run it again in a minute.",
    outcome: "unknown",
  });
}
