import { firstRateWindow, type RateWindow, type SharedRateWindow } from "../background/index.ts";
import { projectOfKey } from "../budget/index.ts";
import { withTimeout } from "../clock.ts";
import { type Database, sql } from "../database/index.ts";

interface RateWindowsDeps {
  readonly database: Database;
  /** Called when the database fails; the megapixels are then counted in this process alone. */
  readonly onFailure: (error: unknown) => void;
}

/** Longer than any wait that the service asks for. */
const storedMs = 3_600_000;
/** Longest time that a cut-out waits for the database. */
const maxWaitMs = 2_000;

/**
 * The windows of image keys in the database, for processes that share it; undefined on SQLite, where one process lives. A
 * process that dies loses what it took until the window ends.
 */
export function createRateWindows(deps: RateWindowsDeps) {
  if (deps.database.dialect === "sqlite") return undefined;
  return (key: string): SharedRateWindow => createStoredWindow(deps, `image ${projectOfKey(key)}`);
}

function createStoredWindow({ database, onFailure }: RateWindowsDeps, key: string) {
  /** As it was seen last. */
  let window = firstRateWindow;

  const change = (make: (window: RateWindow) => RateWindow) =>
    database.transaction(async () => {
      const stored = await lockWindow(database, key);
      const made = make(stored);
      if (made !== stored) await writeWindow(database, key, made);
      return made;
    });

  return {
    async change(make: (window: RateWindow) => RateWindow): Promise<RateWindow> {
      try {
        window = await withTimeout(() => change(make), { timeoutMs: maxWaitMs });
      } catch (error) {
        onFailure(error);
        window = make(window);
      }
      return window;
    },
  };
}

/** Reads the row, or adds it; nobody else changes it until the transaction is over. */
async function lockWindow({ db, now }: Database, key: string): Promise<RateWindow> {
  const { rows } = await sql<{ data: string }>`
    insert into rates (key, data, expires_at)
    values (${key}, ${JSON.stringify(firstRateWindow)}, ${now() + storedMs})
    on conflict (key) do update set expires_at = excluded.expires_at
    returning data`.execute(db);
  // Only windows are written there.
  return JSON.parse(rows[0]?.data ?? "") as RateWindow;
}

async function writeWindow({ db, now }: Database, key: string, window: RateWindow): Promise<void> {
  const expiresAt = Math.ceil(Math.max(now(), window.resetAt, window.heldUntil)) + storedMs;
  await sql`
    update rates set data = ${JSON.stringify(window)}, expires_at = ${expiresAt}
    where key = ${key}`.execute(db);
}
