import { type Kysely, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { ConfigError } from "../errors.ts";
import { parseSqlitePath } from "./failure.ts";
import { createTables } from "./migrations/0001-tables.ts";
import { createProcessTables } from "./migrations/0002-processes.ts";
import { createNoteTable } from "./migrations/0003-author-notes.ts";
import { addCommentAuthors } from "./migrations/0004-comment-authors.ts";
import { tellCreditLimits } from "./migrations/0005-credit-limits.ts";
import { createQuotaChannelTable } from "./migrations/0006-quota-channels.ts";
import { addAnswers } from "./migrations/0007-answers.ts";
import { addLookIndex } from "./migrations/0008-announcement-looks.ts";
import { createRuleListTables } from "./migrations/0009-rule-lists.ts";
import type { Dialect, Tables } from "./schema.ts";

/** The table in which versions before the first schema stored everything. */
const formerTables = { sqlite: "entries", postgres: "greenroom_entries" } as const;

/** In the order of their names, which the database remembers. */
export const migrations = {
  "0001-tables": createTables,
  "0002-processes": createProcessTables,
  "0003-author-notes": createNoteTable,
  "0004-comment-authors": addCommentAuthors,
  "0005-credit-limits": tellCreditLimits,
  "0006-quota-channels": createQuotaChannelTable,
  "0007-answers": addAnswers,
  "0008-announcement-looks": addLookIndex,
  "0009-rule-lists": createRuleListTables,
} as const satisfies Record<string, (db: Kysely<unknown>, dialect: Dialect) => Promise<void>>;

interface MigrateOptions {
  readonly dialect: Dialect;
  readonly url: string;
  readonly onWarning: (what: string) => void;
}

/**
 * Brings the schema up to date, one process at a time; each migration happens whole or not at all. A newer schema stays as it
 * is, if it says that this program can work with it.
 * @throws ConfigError `store_newer` or `store_former`, with nothing changed.
 */
export async function migrateDatabase(
  db: Kysely<Tables>,
  { dialect, url, onWarning }: MigrateOptions,
): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  const names = new Set(tables.map(({ name }) => name));
  if (names.has(formerTables[dialect]) && !names.has("servers")) throw createFormerError(url);
  const isNewer = async () => {
    const newer = await readNewer(db);
    if (newer.length === 0) return false;
    onWarning(
      `the database has ${newer.join(", ")} of a newer version of Greenroom, and says that this version can work with it`,
    );
    return true;
  };
  if (names.has("kysely_migration") && (await isNewer())) return;
  const steps = Object.entries(migrations).map(([name, change]): [string, Migration] => {
    return [name, { up: (schema) => change(schema, dialect) }];
  });
  const known = Object.fromEntries(steps);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => known } });
  const { error } = await migrator.migrateToLatest();
  // Another process may have applied a newer schema while this one waited for its turn.
  if (error !== undefined) {
    const isAccepted = await isNewer().catch((newerError: unknown) => {
      // If there is not even a table of migrations, the first error says why.
      if (newerError instanceof ConfigError) throw newerError;
      return false;
    });
    if (!isAccepted) throw error;
  }
}

/** Migrations that this program does not know. @throws ConfigError `store_newer` if it can't work with them. */
async function readNewer(db: Kysely<Tables>): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name`.execute(db);
  const applied = rows.map(({ name }) => name);
  const known = Object.keys(migrations);
  const newer = applied.filter((name) => !known.includes(name));
  if (newer.length === 0) return [];
  if (known.every((name) => applied.includes(name))) {
    const floor = await db.selectFrom("schema_floor").select("migration").executeTakeFirst();
    if (floor !== undefined && known.includes(floor.migration)) return newer;
  }
  const latest = known.at(-1);
  throw new ConfigError(
    `the database is newer than this program: it has ${newer.join(", ")}, and this program knows no more than ${latest}`,
    {
      code: "store_newer",
      hint: "Start the version of Greenroom that changed this database last, or a newer one. Nothing was changed.",
    },
  );
}

function createFormerError(url: string): ConfigError {
  const place = parseSqlitePath(url) ?? "this database";
  return new ConfigError(
    "the database is of a version of Greenroom from before its first release",
    {
      code: "store_former",
      hint: `Nothing of it can be carried over, and nothing was changed. To start over, stop every process of the bot, move ${place} away or set STORE_URL to another database, start again, and connect your channels again.`,
    },
  );
}
