import { AsyncLocalStorage } from "node:async_hooks";
import { onTestFinished } from "vitest";
import { type Database, openDatabase } from "../../../src/database/index.ts";
import { fencedDatabase } from "./fenced-database.ts";
import type { StillClock } from "./still-clock.ts";

/** A database behind a wire: called before every statement or transaction and after it, with the statement or `transaction`. */
export interface Wire {
  before?(what: string): Promise<void> | void;
  after?(what: string): Promise<void> | void;
}

/** The same; only the statements themselves hold the clock, so that waiting on the wire takes its time. */
export function behind(database: Database, clock: StillClock, wire: Wire): Database {
  return fencedDatabase(database, async (send, what) => {
    await wire.before?.(what);
    const answer = await (what === "transaction" ? send() : clock.hold(send()));
    await wire.after?.(what);
    return answer;
  });
}

/**
 * A process's own connection to that database, on which every statement takes so long. On SQLite a transaction takes so
 * long as a whole, because others wait for it, and time stands still during that.
 */
export async function openFarAway(url: string, clock: StillClock, ms: number): Promise<Database> {
  const database = await openDatabase({ url, now: clock.now });
  onTestFinished(database.close);
  const within = new AsyncLocalStorage<true>();
  const isOne = database.dialect === "sqlite";
  const wait = () => new Promise<void>((resolve) => void clock.after(ms, resolve));
  const far = behind(database, clock, {
    before: (what) =>
      within.getStore() || (what === "transaction" && !isOne) ? undefined : wait(),
  });
  const transaction: Database["transaction"] = (work) =>
    far.transaction(() => (isOne ? within.run(true, work) : work()));
  return { ...far, transaction };
}
