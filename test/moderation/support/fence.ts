import type { Clock } from "../../../src/clock.ts";
import type { Database } from "../../../src/database/index.ts";
import type { Log } from "../../../src/log.ts";
import { fencedDatabase } from "./fenced-database.ts";

/** Wraps everything that a process calls, so that it can be killed in the middle of anything. */
export interface Fence {
  /**
   * The same object; each of its calls is a step at which the process can die. `isWire`: its calls are requests to
   * others.
   */
  around<T extends object>(object: T, isWire?: "isWire"): T;
  /**
   * The same database; each query and each transaction is a step. In a dead process they throw, so that no transaction
   * stays open.
   */
  database(database: Database): Database;
  /** The timers of a dead process no longer fire. */
  clock(clock: Clock): Clock;
  /** What a dead process logs is dropped. */
  log(log: Log): Log;
  /** Whether a call is still under way. */
  isBusy(): boolean;
  isDead(): boolean;
  /** Resolves when the process is killed. */
  readonly killed: Promise<void>;
  /** From then on, calls do nothing and never return. */
  kill(): void;
}

/** How long a process lives: it dies at the step with this number, or never if the number is absent. */
export interface Life {
  readonly stepsToLive?: number;
  /** The same, counting only requests. */
  readonly requestsToLive?: number;
}

export interface FenceOptions extends Life {
  readonly random: () => number;
}

export function createFence({
  random,
  stepsToLive = Number.POSITIVE_INFINITY,
  requestsToLive = Number.POSITIVE_INFINITY,
}: FenceOptions): Fence {
  const death = Promise.withResolvers<void>();
  const left = { steps: stepsToLive, requests: requestsToLive };
  let isDead = false;
  let underWay = 0;

  function kill(): void {
    isDead = true;
    death.resolve();
  }

  const never = <T>() => new Promise<T>(() => undefined);

  /** Counts a step: whether it is the last, and whether the process dies before it is made. */
  function count(isWire: boolean): { readonly isLast: boolean; readonly isBefore: boolean } {
    left.steps -= 1;
    if (isWire) left.requests -= 1;
    const isLast = left.steps <= 0 || left.requests <= 0;
    return { isLast, isBefore: isLast && random() < 0.5 };
  }

  async function query<T>(send: () => Promise<T>): Promise<T> {
    if (isDead) throw killed();
    const { isLast, isBefore } = count(false);
    if (isBefore) kill();
    if (isDead) throw killed();
    underWay += 1;
    try {
      const answer = await send();
      if (isLast) kill();
      if (isDead) throw killed();
      return answer;
    } finally {
      underWay -= 1;
    }
  }

  /** The process may die before its request is sent, or between the request and the answer. */
  async function step(send: () => unknown, isWire: boolean): Promise<unknown> {
    if (isDead) return never();
    const { isLast, isBefore } = count(isWire);
    if (isBefore) {
      kill();
      return never();
    }
    underWay += 1;
    try {
      const sent = Promise.resolve(send());
      // Without this, a rejection after the kill would count as unhandled.
      sent.catch(() => undefined);
      if (isLast) kill();
      const answer = await sent;
      return isDead ? never() : alive(answer);
    } catch (error) {
      return isDead ? never() : Promise.reject(error);
    } finally {
      underWay -= 1;
    }
  }

  /** Wraps an answer that has functions itself, such as a lease that is released later. */
  function alive(answer: unknown): unknown {
    const isTool =
      typeof answer === "object" &&
      answer !== null &&
      Object.values(answer).some((value) => typeof value === "function");
    return isTool ? around(answer) : answer;
  }

  function around<T extends object>(object: T, isWire?: "isWire"): T {
    return new Proxy(object, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value === "function") {
          return (...given: unknown[]) =>
            step(() => Reflect.apply(value, target, given), isWire !== undefined);
        }
        return typeof value === "object" && value !== null ? around(value, isWire) : value;
      },
    });
  }

  return {
    around,
    database: (database) => fencedDatabase(database, query),
    log: (log) => {
      const quiet = (write: Log["warn"]): Log["warn"] => {
        return (...said) => (isDead ? undefined : write(...said));
      };
      const { debug, info, warn, error, child } = log;
      return {
        debug: quiet(debug),
        info: quiet(info),
        warn: quiet(warn),
        error: quiet(error),
        child,
      };
    },
    clock: (clock) => ({
      now: clock.now,
      after: (ms, call) => clock.after(ms, () => void (isDead || call())),
    }),
    isDead: () => isDead,
    isBusy: () => !isDead && underWay > 0,
    killed: death.promise,
    kill,
  };
}

function killed(): Error {
  return new Error("this process was killed");
}
