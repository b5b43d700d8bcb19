import { InputError, ServiceError } from "../../errors.ts";
import { type RankedRequester, requireOwn } from "../access/authorise.ts";
import { workMs } from "../draw/limits.ts";

/** The work that is under way, so that its author can cancel it and a shutdown can wait for it. */
export interface RunningHandlers {
  start(id: string, owner: { readonly guildId: string; readonly userId: string }): RunningHandler;
  /** Whether there was such work. @throws AccessError `not_yours`, or `too_old` in another server. */
  cancel(id: string, requester: Pick<RankedRequester, "guildId" | "userId">): boolean;
  /** Waits for running work, then aborts what is left. */
  drain(ms: number): Promise<void>;
}

export interface RunningHandler {
  /** Made when first used: most work is over before that. */
  readonly signal: AbortSignal;
  /** Calls back when the work has to stop; at once if it already has to. */
  onStop(listener: (reason: unknown) => void): void;
  end(): void;
}

interface StoppableHandler {
  readonly guildId: string;
  readonly userId: string;
  readonly stop: (reason: unknown) => void;
}

export function createRunningHandlers(): RunningHandlers {
  const entries = new Map<string, StoppableHandler>();
  let idle: (() => void) | undefined;

  return {
    start(id, owner) {
      const { stop, ...work } = createStop();
      const timer = setTimeout(() => stop(tookTooLong()), workMs);
      timer.unref();
      entries.set(id, { guildId: owner.guildId, userId: owner.userId, stop });
      return {
        get signal() {
          return work.signal();
        },
        onStop: work.onStop,
        end: () => {
          clearTimeout(timer);
          entries.delete(id);
          if (entries.size === 0) idle?.();
        },
      };
    },
    cancel(id, requester) {
      const entry = entries.get(id);
      if (entry === undefined) return false;
      requireOwn(entry, requester);
      entry.stop(cancelled());
      return true;
    },
    async drain(ms) {
      await settledWithin(ms);
      for (const { stop } of entries.values()) stop(restarting());
      // Aborted work still has to show its failure.
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

/** Stops once, for the first reason given. */
function createStop() {
  let stopped: { readonly reason: unknown } | undefined;
  let controller: AbortController | undefined;
  const listeners: ((reason: unknown) => void)[] = [];
  return {
    stop: (reason: unknown) => {
      if (stopped !== undefined) return;
      stopped = { reason };
      controller?.abort(reason);
      for (const listener of listeners) listener(reason);
    },
    onStop: (listener: (reason: unknown) => void) => {
      if (stopped === undefined) listeners.push(listener);
      else listener(stopped.reason);
    },
    signal: () => {
      controller ??= new AbortController();
      if (stopped !== undefined) controller.abort(stopped.reason);
      return controller.signal;
    },
  };
}

/** Whether the person stopped it, and not the time limit or a restart. */
export function isCancelled({ aborted, reason }: AbortSignal): boolean {
  return aborted && (reason as { readonly code?: unknown } | undefined)?.code === "cancelled";
}

function cancelled(): InputError {
  return new InputError("cancelled by its author", { code: "cancelled" });
}

function tookTooLong(): ServiceError {
  return new ServiceError("no result within the interaction's time", {
    code: "took_too_long",
    outcome: "unknown",
  });
}

function restarting(): ServiceError {
  return new ServiceError("stopped for a restart", { code: "restarting", outcome: "unknown" });
}

/**
 * How long requests that are under way, or paid for, may go on after a cancellation, so that their result is known. The
 * answer is due soon after.
 */
export const cancelGraceMs = 700;
