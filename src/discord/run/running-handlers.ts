import { InputError, ServiceError } from "../../errors.ts";
import { LostError } from "../../ownership.ts";
import { type RankedRequester, requireOwn } from "../access/authorise.ts";
import { workMs } from "../draw/limits.ts";

/** The work that is under way, so that its author can cancel it and a shutdown can stop it. */
export type RunningHandlers = ReturnType<typeof createRunningHandlers>;

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

export function createRunningHandlers() {
  const entries = new Map<string, StoppableHandler>();
  let isEnding = false;

  return {
    start(id: string, owner: Pick<RankedRequester, "guildId" | "userId">): RunningHandler {
      const work = createStop();
      const { stop } = work;
      const timer = setTimeout(() => {
        const late = "no result within the interaction's time";
        stop(new ServiceError(late, { code: "took_too_long", outcome: "unknown" }));
      }, workMs).unref();
      const entry = { guildId: owner.guildId, userId: owner.userId, stop };
      entries.set(id, entry);
      if (isEnding) stop(restarting());
      return Object.assign(work, {
        end: () => {
          clearTimeout(timer);
          // A process that has lost it may have begun it again.
          if (entries.get(id) === entry) entries.delete(id);
        },
      });
    },
    /** Whether there was such work. @throws AccessError `not_yours`, or `too_old` in another server. */
    cancel(id: string, requester: Pick<RankedRequester, "guildId" | "userId">): boolean {
      const entry = entries.get(id);
      if (entry === undefined) return false;
      requireOwn(entry, requester);
      entry.stop(cancelled());
      return true;
    },
    /** Ids of the interactions whose work is running. */
    ids: () => [...entries.keys()],
    /** Stops that work, if it is running, because its person wants it. */
    stop: (id: string) => entries.get(id)?.stop(cancelled()),
    /** Stops that work, or all, because other processes have taken this one for dead, and go on with it. */
    stopLost: (id?: string): void => {
      for (const lost of id === undefined ? [...entries.keys()] : [id]) {
        entries.get(lost)?.stop(new LostError());
        // Who wants to cancel it means the work of the process that goes on.
        entries.delete(lost);
      }
    },
    /** Stops all work, and what begins after that, because the process ends. */
    stopAll: () => {
      isEnding = true;
      for (const { stop } of entries.values()) stop(restarting());
    },
  };
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
    get signal() {
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

function restarting(): ServiceError {
  return new ServiceError("stopped for a restart", { code: "restarting", outcome: "unknown" });
}

/**
 * How long requests that are under way, or paid for, may go on after a cancellation, so that their result is known. The
 * answer is due soon after.
 */
export const cancelGraceMs = 700;
