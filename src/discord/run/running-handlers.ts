import { InputError, ServiceError } from "../../errors.ts";
import { type Claimant, requireOwn } from "../access/authorise.ts";
import { workMs } from "../draw/limits.ts";

/** Work under way, so that its author can cancel it and a shutdown can wait for it. */
export interface RunningHandlers {
  start(id: string, owner: { readonly guildId: string; readonly userId: string }): RunningHandler;
  /** Whether there was such work. @throws AccessError `not_yours`, or `too_old` in another server. */
  cancel(id: string, asker: Pick<Claimant, "guildId" | "userId">): boolean;
  /** Waits for what runs, then aborts the rest. */
  drain(ms: number): Promise<void>;
}

export interface RunningHandler {
  /** Made when it is first asked for: most work is over before anybody would. */
  readonly signal: AbortSignal;
  /** Calls back when the work is to stop, at once when it is already. */
  onStop(listener: (reason: unknown) => void): void;
  end(): void;
}

interface Entry {
  readonly guildId: string;
  readonly userId: string;
  readonly stop: (reason: unknown) => void;
}

export function createRunningHandlers(): RunningHandlers {
  const entries = new Map<string, Entry>();
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
    cancel(id, asker) {
      const entry = entries.get(id);
      if (entry === undefined) return false;
      requireOwn(entry, asker);
      entry.stop(cancelled());
      return true;
    },
    async drain(ms) {
      await settledWithin(ms);
      for (const { stop } of entries.values()) stop(restarting());
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

/** Once stopped, it stays so, for the first reason. */
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

/** Whether the person stopped it; when the time is up or the bot stops, that is told as it is. */
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
 * How long what is under way, or paid for, may go on after a cancellation, so that what it did is known; the answer is
 * due soon after.
 */
export const cancelGraceMs = 700;
