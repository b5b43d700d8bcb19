import { setTimeout as wait } from "node:timers/promises";
import { backOffMs } from "../clock.ts";
import { BotError } from "../errors.ts";
import { isPostgresUrl } from "./failure.ts";

interface WaitForDatabaseOptions {
  readonly url: string;
  /** Called when the wait begins, when its reason changes, and every minute. */
  readonly onWait: (error: BotError) => void;
}

const waits = { firstMs: 250, longestMs: 5_000, jitter: 0.5 } as const;
const repeatMs = 60_000;

/**
 * Opens something that needs the database, again and again while a PostgreSQL server is away, starts, or refuses writes.
 * @throws what else `open` throws, at once.
 */
export async function waitForDatabase<T>(
  { url, onWait }: WaitForDatabaseOptions,
  open: () => Promise<T>,
): Promise<T> {
  let said = { reason: "", at: 0 };
  for (let failures = 1; ; failures += 1) {
    try {
      return await open();
    } catch (error) {
      if (!isPostgresUrl(url) || !isAway(error)) throw error;
      const now = performance.now();
      if (error.message !== said.reason || now - said.at >= repeatMs) {
        said = { reason: error.message, at: now };
        onWait(error);
      }
      await wait(backOffMs(failures, waits));
    }
  }
}

function isAway(error: unknown): error is BotError {
  if (!(error instanceof BotError)) return false;
  if (error.code === "store_server") return error.facts.mayPass === true;
  return error.code === "store_unavailable";
}
