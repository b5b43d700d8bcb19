import { AsyncLocalStorage } from "node:async_hooks";
import { onTestFinished } from "vitest";
import { type Database, openDatabase } from "../../../src/database/index.ts";
import { fencedDatabase } from "./fenced-database.ts";
import type { StillClock } from "./still-clock.ts";

/**
 * The connection to a database. Both functions are called for every statement, with its text, and for every
 * transaction, with `transaction`.
 */
export interface Wire {
  before?(what: string): Promise<void> | void;
  after?(what: string): Promise<void> | void;
}

/**
 * The database behind that connection. Only the statements themselves stop the clock, so waiting on the connection
 * takes time.
 */
export function behind(database: Database, clock: StillClock, wire: Wire): Database {
  return fencedDatabase(database, async (send, what) => {
    await wire.before?.(what);
    const answer = await (what === "transaction" ? send() : clock.hold(send()));
    await wire.after?.(what);
    return answer;
  });
}

/** A transaction under way, with the number of its statements that are on their way. */
interface FarTransaction {
  onTheWay: number;
}

/**
 * A process's own connection to that database, on which every statement takes `ms`. On SQLite a whole transaction takes
 * that long instead, because others wait for it while time stands still.
 */
export async function openFarAway(url: string, clock: StillClock, ms: number): Promise<Database> {
  const database = await openDatabase({ url, now: clock.now });
  const isOne = database.dialect === "sqlite";
  const current = new AsyncLocalStorage<FarTransaction>();
  const underWay = new Set<FarTransaction>();
  const waits = new Set<() => void>();
  let sent = 0;
  let isOver = false;

  async function wait(): Promise<void> {
    if (isOver) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const within = current.getStore();
    if (within !== undefined) within.onTheWay += 1;
    waits.add(resolve);
    clock.after(ms, resolve);
    await promise;
    waits.delete(resolve);
    if (within !== undefined) within.onTheWay -= 1;
  }

  // Only the connection takes time. While a transaction waits for it, time must pass: others may wait for the
  // transaction's locks.
  clock.watch(() => {
    const all = [...underWay];
    if (isOver || all.some(({ onTheWay }) => onTheWay > 0)) return false;
    return sent > 0 || all.length > 0;
  });
  onTestFinished(async () => {
    // Time no longer passes: a transaction that still waited would never return its connection.
    isOver = true;
    for (const end of waits) end();
    await database.close();
  });
  const far = fencedDatabase(database, async (send, what) => {
    const takesTime = isOne ? !database.isInTransaction() : what !== "transaction";
    if (takesTime) await wait();
    if (what === "transaction") return send();
    sent += 1;
    try {
      return await send();
    } finally {
      sent -= 1;
    }
  });
  return {
    ...far,
    async transaction(work) {
      if (database.isInTransaction()) return work();
      const one = { onTheWay: 0 };
      underWay.add(one);
      try {
        return await current.run(one, () => far.transaction(work));
      } finally {
        underWay.delete(one);
      }
    },
  };
}
