import { setImmediate as turn } from "node:timers/promises";
import { onTestFinished } from "vitest";
import {
  type CallCharge,
  createSpending,
  type SpendingLimits,
  type SpendingMeter,
  type SpendingOptions,
} from "../../src/budget/index.ts";
import type { Clock } from "../../src/clock.ts";
import { type Database, openDatabase } from "../../src/database/index.ts";
import { LimitError, ServiceError } from "../../src/errors.ts";
import { describeReusing } from "../support/databases/each-kind.ts";
import type { Kind } from "../support/databases/kinds.ts";

export const guildId = "111111111111111111";
export const otherGuildId = "222222222222222222";

/** Noon of a winter's day in Los Angeles. */
export const noon = Date.parse("2026-01-15T20:00:00Z");
export const midnight = new Date("2026-01-16T08:00:00Z");

/**
 * Limits of a channel that shares its project; unless `linkedBy` says otherwise, each channel was linked by another
 * person.
 */
export const sharing = (channelId: string, linkedBy = `of ${channelId}`): SpendingLimits => ({
  sharer: async () => ({ channelId, linkedBy }),
});

const secret = new Uint8Array(32).fill(7);

/** A clock whose time passes when a test says so. */
export interface TestClock extends Clock {
  time: number;
  pass(ms: number): Promise<void>;
}

export type SpendingRig = Awaited<ReturnType<typeof openRig>>;

/**
 * States the facts on each kind of database. Each database server starts once for the file, because that takes seconds.
 */
export function describeEach(
  facts: (
    open: (options?: Partial<SpendingOptions>) => Promise<SpendingRig>,
    kindName: string,
  ) => void,
) {
  describeReusing("on", (kind, name) => facts((options) => openRig(kind, options), name));
}

async function openRig(kind: Kind, options?: Partial<SpendingOptions>) {
  const clock = testClock(noon);
  const place = await kind.fresh();
  const openOne = async () => {
    const database = await openDatabase({ url: place.url, now: clock.now });
    onTestFinished(() => database.close());
    return database;
  };
  const failures: unknown[] = [];
  const troubles: Troubles = { trouble: undefined, writeTrouble: undefined, questions: 0 };
  const open = async (more?: Partial<SpendingOptions>) =>
    createSpending({
      database: troubled(await openOne(), troubles),
      clock,
      secret,
      onFailure: (error) => failures.push(error),
      ...more,
    });
  const database = await openOne();
  return Object.assign(troubles, {
    clock,
    place,
    database,
    failures,
    /** Another engine, as another process would have it; all share the database. */
    open,
    erase: async (guild: string) => {
      const serverId = await database.servers.find(guild);
      if (serverId !== undefined) await database.servers.remove({ table: "servers", serverId });
    },
    spending: await open(options),
  });
}

interface Troubles {
  /** What every query waits for; undefined while the database works. */
  trouble: (() => Promise<unknown>) | undefined;
  /** The same for transactions that write. */
  writeTrouble: (() => Promise<unknown>) | undefined;
  /** How many queries there were. */
  questions: number;
}

/** Counts and delays bookings and reads where they begin: each looks up its server first. */
function troubled(database: Database, rig: Troubles): Database {
  const { find, need } = database.servers;
  const ask = async () => {
    rig.questions += 1;
    await rig.trouble?.();
  };
  const transaction = async <T>(work: () => Promise<T>): Promise<T> => {
    await rig.writeTrouble?.();
    return database.transaction(work);
  };
  const servers = {
    ...database.servers,
    find: (guild: string) => ask().then(() => find(guild)),
    need: (guild: string) => ask().then(() => need(guild)),
  };
  return { ...database, servers, transaction };
}

/** Books each charge with the next of these accounts, all at once; returns the cost of those that succeeded. */
export async function bookAtOnce(
  accounts: readonly SpendingMeter[],
  charges: readonly CallCharge[],
): Promise<number> {
  const outcomes = await Promise.allSettled(
    charges.map((charge, at) => accounts[at % accounts.length]?.book(charge)),
  );
  return charges.reduce(
    (sum, { cost }, at) => sum + (outcomes[at]?.status === "fulfilled" ? cost : 0),
    0,
  );
}

export const diskGone = async () => {
  throw new ServiceError("disk gone", { code: "store_unavailable" });
};

export const hanging = () => new Promise<never>(() => {});

function testClock(start: number): TestClock {
  const timers = new Set<{ readonly at: number; readonly call: () => void }>();
  const clock: TestClock = {
    time: start,
    now: () => clock.time,
    after: (ms, call) => {
      const timer = { at: clock.time + ms, call };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    pass: async (ms) => {
      // Lets the work that was begun reach the point where it waits.
      await turn();
      clock.time += ms;
      for (const timer of timers) {
        if (timer.at > clock.time) continue;
        timers.delete(timer);
        timer.call();
      }
      await turn();
    },
  };
  return clock;
}

export async function refusalOf(promise: Promise<unknown>): Promise<LimitError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof LimitError) return error;
  throw new Error(`no limit was met: ${String(error)}`);
}
