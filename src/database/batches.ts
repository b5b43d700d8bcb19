import { AsyncLocalStorage } from "node:async_hooks";
import type { Database } from "./database.ts";

/** One statement holds no more, so that a short one never waits long behind it. */
const usualItems = 200;

/** A statement for several callers must not run in the async context of one of them, such as its transaction. */
const outside = AsyncLocalStorage.snapshot();

interface Waiter<T, R> {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Collects what is asked while the last call is under way, and does it together in the next: at most one call at a time. A
 * single item does not wait for others.
 */
export function createBatches<T, R>(
  run: (items: readonly T[]) => Promise<readonly R[]>,
  maxItems = usualItems,
): (item: T) => Promise<R> {
  let waiting: Waiter<T, R>[] = [];
  let isRunning = false;

  async function work(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxItems);
      waiting = waiting.slice(maxItems);
      try {
        const results = await run(batch.map(({ item }) => item));
        // One result for each item, in their order.
        for (const [n, { resolve }] of batch.entries()) resolve(results[n] as R);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isRunning = false;
  }

  return (item) => {
    const { promise, resolve, reject } = Promise.withResolvers<R>();
    waiting.push({ item, resolve, reject });
    if (!isRunning) void outside(work);
    return promise;
  };
}

/**
 * Reads a row by its key. On PostgreSQL, keys that are asked for at the same time share a statement, except within a
 * transaction. `read` returns one row for each key, in their order; on SQLite it gets a single key.
 */
export function createRowReader<Row>(
  { dialect, isInTransaction }: Pick<Database, "dialect" | "isInTransaction">,
  read: (keys: readonly string[]) => Promise<readonly (Row | undefined)[]>,
): (key: string) => Promise<Row | undefined> {
  const together = createBatches(read);
  return async (key) => {
    if (dialect === "postgres" && !isInTransaction()) return together(key);
    const [row] = await read([key]);
    return row;
  };
}
