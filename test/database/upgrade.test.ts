import { afterAll, expect, it } from "vitest";
import { type Database, openDatabase, readServerRows, sql } from "../../src/database/index.ts";
import { migrations } from "../../src/database/migrate.ts";
import { processColumns } from "../../src/database/migrations/0002-processes.ts";
import { onEach } from "../support/databases/each-kind.ts";
import type { Place } from "../support/databases/kinds.ts";
import { fillServer } from "./fill.ts";
import { guild, openFor, otherGuild } from "./open.ts";

const tables = [
  ...([
    "watches",
    "held_comments",
    "digests",
    "authors",
    "author_notes",
    "audit_log",
    "rule_books",
  ] as const),
  ...(["saved_replies", "feeds", "announcements", "jobs"] as const),
];

type Export = Readonly<Record<string, readonly unknown[]>>;

/** The data of a server's export, table by table. */
async function exported(database: Database, guildId: string): Promise<Export> {
  const all: [string, readonly unknown[]][] = [];
  for (const table of tables) {
    const rows = [];
    for await (const page of readServerRows(database, guildId, table)) {
      // Only columns that older versions have as well.
      rows.push(...page.map(({ data, progress, id, key }) => ({ data, progress, id, key })));
    }
    all.push([table, rows]);
  }
  return Object.fromEntries(all);
}

async function fill({ url }: Place): Promise<Readonly<Record<string, Export>>> {
  const database = await openDatabase({ url });
  try {
    await fillServer(database, guild, { rows: 30, word: "wörd \u{1f600}" });
    await fillServer(database, otherGuild, { rows: 2 });
    return {
      [guild]: await exported(database, guild),
      [otherGuild]: await exported(database, otherGuild),
    };
  } finally {
    await database.close();
  }
}

async function fillWithoutLooks(place: Place) {
  const before = await fillWithoutLists(place);
  await place.query("drop index announcements_looks");
  await place.query("delete from kysely_migration where name = '0008-announcement-looks'");
  return before;
}

async function fillWithoutLists(place: Place) {
  const before = await fill(place);
  for (const table of ["rule_lists", "rule_list_contents", "rule_shares"]) {
    await place.query(`drop table ${table}`);
  }
  await place.query("delete from kysely_migration where name = '0009-rule-lists'");
  return before;
}

async function fillWithoutAnswers(place: Place) {
  const before = await fillWithoutLooks(place);
  await place.query("alter table interactions drop column is_answered");
  await place.query("delete from kysely_migration where name = '0007-answers'");
  return before;
}

async function fillWithoutQuotaChannels(place: Place) {
  const before = await fillWithoutAnswers(place);
  await place.query("drop table quota_channels");
  await place.query("delete from kysely_migration where name = '0006-quota-channels'");
  return before;
}

/** The migration of credit limits only adds jobs, so nothing but its record is removed. */
async function fillBeforeLimits(place: Place) {
  const before = await fillWithoutQuotaChannels(place);
  await place.query("delete from kysely_migration where name = '0005-credit-limits'");
  return before;
}

async function fillWithoutAuthors(place: Place) {
  const before = await fillBeforeLimits(place);
  await place.query("drop index held_comments_by_author_id");
  await place.query("alter table held_comments drop column author_id");
  await place.query("delete from kysely_migration where name = '0004-comment-authors'");
  return before;
}

async function fillWithoutNotes(place: Place) {
  const before = await fillWithoutAuthors(place);
  await place.query("drop table author_notes");
  await place.query("delete from kysely_migration where name = '0003-author-notes'");
  return Object.fromEntries(
    Object.entries(before).map(([guildId, all]) => [guildId, { ...all, author_notes: [] }]),
  );
}

/**
 * For each migration, makes a database as a version left it for which that was the latest. This program can only fill
 * its own schema, so what later migrations added is removed afterwards.
 */
const fillers: Readonly<Record<string, (place: Place) => Promise<unknown>>> = {
  "0001-tables": async (place) => {
    const before = await fillWithoutNotes(place);
    for (const table of Object.keys(processColumns)) await place.query(`drop table ${table}`);
    await place.query("alter table servers drop column changes");
    await place.query("delete from kysely_migration where name = '0002-processes'");
    return before;
  },
  "0002-processes": fillWithoutNotes,
  "0003-author-notes": fillWithoutAuthors,
  "0004-comment-authors": fillBeforeLimits,
  "0005-credit-limits": fillWithoutQuotaChannels,
  "0006-quota-channels": fillWithoutAnswers,
  "0007-answers": fillWithoutLooks,
  "0008-announcement-looks": fillWithoutLists,
  "0009-rule-lists": fill,
};

onEach((kind) => {
  afterAll(() => kind().stop());

  it("has rows for each schema that there was", () => {
    expect(Object.keys(fillers)).toEqual(Object.keys(migrations));
  });

  it.each(Object.keys(fillers))(
    "keeps all that an export holds, from %s to the latest",
    async (name) => {
      const place = await kind().empty();
      const before = await fillers[name]?.(place);

      const database = await openFor({ url: place.url });

      expect({
        [guild]: await exported(database, guild),
        [otherGuild]: await exported(database, otherGuild),
      }).toEqual(before);
      expect(JSON.stringify(before)).toContain("wörd");
      const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(
        database.db,
      );
      expect(rows.map((row) => row.name)).toEqual(Object.keys(migrations));
    },
  );
});
