import { type Kysely, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { ConfigError } from "../errors.ts";
import { sqlitePathOf } from "./failure.ts";
import { createTables } from "./migrations/0001-tables.ts";
import type { Dialect, Tables } from "./schema.ts";

/** The table in which versions before the first schema stored everything. */
const formerTables = { sqlite: "entries", postgres: "greenroom_entries" } as const;

/** In the order of their names, which the database remembers. */
export function migrationsFor(dialect: Dialect): Readonly<Record<string, Migration>> {
  return { "0001-tables": createTables(dialect) };
}

/**
 * Brings the schema up to date, one process at a time; each migration happens whole or not at all.
 * @throws ConfigError `store_newer` or `store_former`, with nothing changed.
 */
export async function migrateDatabase(
  db: Kysely<Tables>,
  { dialect, url }: { dialect: Dialect; url: string },
): Promise<void> {
  const known = migrationsFor(dialect);
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  const names = new Set(tables.map(({ name }) => name));
  if (names.has(formerTables[dialect]) && !names.has("servers")) throw formerStore(url);
  if (names.has("kysely_migration")) await refuseNewer(db, known);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => known } });
  const { error } = await migrator.migrateToLatest();
  // Another process may have applied a newer schema while this one waited for its turn.
  if (error !== undefined) {
    await refuseNewer(db, known).catch((refusal: unknown) => {
      // If there is not even a table of migrations, the first error says why.
      if (refusal instanceof ConfigError) throw refusal;
    });
    throw error;
  }
}

async function refuseNewer(
  db: Kysely<Tables>,
  known: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const newer = rows.map(({ name }) => name).filter((name) => !Object.hasOwn(known, name));
  if (newer.length === 0) return;
  const latest = Object.keys(known).at(-1);
  throw new ConfigError(
    `the database is newer than this program: it has ${newer.join(", ")}, and this program knows no more than ${latest}`,
    {
      code: "store_newer",
      hint: "Start the version of Greenroom that changed this database last, or a newer one. Nothing was changed.",
    },
  );
}

function formerStore(url: string): ConfigError {
  const place = sqlitePathOf(url) ?? "this database";
  return new ConfigError(
    "the database is of a version of Greenroom from before its first release",
    {
      code: "store_former",
      hint: `Nothing of it can be carried over, and nothing was changed. To begin anew, stop every process of the bot, move ${place} away or set STORE_URL to another database, start again, and connect your channels anew.`,
    },
  );
}
