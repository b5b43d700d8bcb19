import { firstRateWindow, type RateWindow, type SharedRateWindow } from "../background/index.ts";
import { projectOfKey } from "../budget/index.ts";
import { withTimeout } from "../clock.ts";
import { createBatches, type Database, sql } from "../database/index.ts";

interface RateWindowsDeps {
  readonly database: Database;
  /** Called when the database fails; the megapixels are then counted in this process alone. */
  readonly onFailure: (error: unknown) => void;
}

type WindowChange = Parameters<SharedRateWindow["change"]>[0];

/** Longer than any wait that remove.bg asks for. */
const storedMs = 3_600_000;
/** Longest time that a cut-out waits for the database. */
const maxWaitMs = 2_000;

/**
 * The rate windows of remove.bg keys in the database, for processes that share it; undefined on SQLite, where one process lives. A
 * process that dies loses what it took until the window ends.
 */
export function createRateWindows(deps: RateWindowsDeps) {
  if (deps.database.dialect === "sqlite") return undefined;
  return (key: string): SharedRateWindow => createStoredWindow(deps, `image ${projectOfKey(key)}`);
}

function createStoredWindow({ database, onFailure }: RateWindowsDeps, key: string) {
  /** As it was seen last. */
  let window = firstRateWindow;

  /** Many change it at once: those of one process go together, or each would be in the way of the next. */
  const change = createBatches((changes: readonly WindowChange[]) =>
    changeStored(database, key, changes),
  );

  return {
    async change(make: WindowChange): Promise<RateWindow> {
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

/** Resolves with the window after each of the changes; begins again when another process was quicker. */
async function changeStored(
  { db, now }: Database,
  key: string,
  changes: readonly WindowChange[],
): Promise<readonly RateWindow[]> {
  for (;;) {
    const { rows } = await sql<{ data: string }>`
      select data from rates where key = ${key}`.execute(db);
    const stored = rows[0]?.data;
    // Only windows are written there.
    let last = stored === undefined ? firstRateWindow : (JSON.parse(stored) as RateWindow);
    const before = last;
    const windows = changes.map((make) => {
      last = make(last);
      return last;
    });
    if (last === before) return windows;
    const expiresAt = Math.ceil(Math.max(now(), last.resetAt, last.heldUntil)) + storedMs;
    // Only if the row is still as it was read.
    const { numAffectedRows = 0n } = await sql`
      insert into rates (key, data, expires_at)
      values (${key}, ${JSON.stringify(last)}, ${expiresAt})
      on conflict (key) do update set data = excluded.data, expires_at = excluded.expires_at
        where rates.data = ${stored ?? null}::text`.execute(db);
    if (numAffectedRows > 0n) return windows;
  }
}
