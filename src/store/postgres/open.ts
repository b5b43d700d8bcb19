import { type Backend, createBackend } from "../backend.ts";
import { KeyvRows } from "../rows.ts";
import { openPool, type Postgres, table } from "./pool.ts";
import { createPostgresRows } from "./rows.ts";
import { unusable } from "./unusable.ts";

/** The adapter makes the table with a key and a value. Two processes may open at once, so one waits for the other. */
const migration = `
  SELECT pg_advisory_xact_lock(hashtext('${table}'));
  ALTER TABLE public.${table} ALTER COLUMN value SET NOT NULL;
  ALTER TABLE public.${table} ADD COLUMN IF NOT EXISTS expires bigint;
  CREATE INDEX IF NOT EXISTS ${table}_by_key ON public.${table} (key COLLATE "C");
  CREATE INDEX IF NOT EXISTS ${table}_by_expiry ON public.${table} (expires) WHERE expires IS NOT NULL;
`;
const isMigrated = `SELECT 1 WHERE to_regclass('public.${table}_by_expiry') IS NOT NULL`;
const safety = `SELECT current_setting('fsync') AS fsync,
  current_setting('synchronous_commit') AS commit, pg_is_in_recovery() AS standby`;

interface Options {
  readonly url: string;
  readonly now?: () => number;
  readonly warn: (what: string) => void;
}

/** @throws ConfigError or NetworkError `store_server`. */
export async function openPostgres({ url, now = Date.now, warn }: Options): Promise<Backend> {
  const postgres = openPool(url);
  try {
    await prepare(postgres, warn);
  } catch (error) {
    await postgres.close();
    throw unusable(url, error);
  }
  const rows = createPostgresRows(postgres, now);
  return createBackend({
    adapter: () => new KeyvRows(rows),
    update: rows.update,
    list: rows.list,
    // What was deleted stays in the table's pages until they are written anew, which is not cheap.
    wipe: async () => undefined,
    scrub: async () => {
      await postgres.query(`DELETE FROM public.${table} WHERE expires <= $1`, [now()]);
      await postgres.queryLong(`VACUUM (FULL) public.${table}`);
    },
    close: postgres.close,
  });
}

async function prepare({ query }: Postgres, warn: (what: string) => void): Promise<void> {
  const [found] = await query(safety);
  if (found?.standby === true) throw new Error("it is a standby, which nobody can write to");
  if (found?.fsync === "off" || found?.commit === "off") {
    warn("PostgreSQL acknowledges writes before they are on disk (fsync, synchronous_commit)");
  }
  if ((await query(isMigrated)).length === 0) await query(migration);
}
