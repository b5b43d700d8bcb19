import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { type Database, openDatabase, sql } from "../../src/database/index.ts";
import type { AuditEntry } from "../../src/moderation/index.ts";
import { createModerationRecords } from "../../src/moderation/records/index.ts";
import { kinds } from "../support/databases/each-kind.ts";
import type { Kind } from "../support/databases/kinds.ts";
import type { BenchRow, BenchRows } from "./row.ts";

export const rows: BenchRows = { "log.page": page };

const guildId = "111111111111111111";
const entries = 500_000;
const rowsOfStatement = 1_000;
const rounds = 200;
const limit = 5;
const people = ["300000000000000001", "300000000000000002", "300000000000000003"] as const;
/**
 * Every thousandth comment is Calder's: a page of one person's decisions about Calder has to be found in thousands of
 * entries.
 */
const rareEvery = 1_000;
const filter = { actorId: people[1], author: "calder" } as const;
const goals = { ratio: 1.3, sqliteMs: 20 } as const;

/**
 * A filtered page of a server with half a million entries, compared with the same query by hand on the same database.
 */
async function page(): Promise<readonly BenchRow[]> {
  const measured: BenchRow[] = [];
  for (const { name, make } of kinds) {
    const suffix = name === "SQLite" ? "sqlite" : "postgres";
    if (make === undefined) {
      measured.push({
        name: `log.page.${suffix}`,
        value: null,
        unit: "ratio",
        goal: goals.ratio,
        ok: true,
        skipped: `${name} is not installed`,
      });
      continue;
    }
    const kind = make();
    try {
      measured.push(...(await measure(kind, suffix)));
    } finally {
      await kind.stop();
    }
  }
  return measured;
}

async function measure(kind: Kind, suffix: string): Promise<readonly BenchRow[]> {
  const { url } = await kind.fresh();
  const database = await openDatabase({ url });
  const serverId = await fill(database);
  const { audit } = createModerationRecords(database, { put: async () => undefined });
  const hand = suffix === "sqlite" ? handSqlite(url, serverId) : await handPostgres(url, serverId);
  try {
    const [ours, theirs]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      ours.push(await timed(() => audit.page(guildId, filter, { limit })));
      theirs.push(await timed(hand.read));
    }
    const [ms, peer] = [medianOf(ours), medianOf(theirs)];
    const ratio = ms / peer;
    const isQuick = suffix !== "sqlite" || ms < goals.sqliteMs;
    return [
      {
        name: `log.page.${suffix}`,
        value: ratio,
        unit: "ratio",
        peer: 1,
        goal: goals.ratio,
        ok: ratio <= goals.ratio,
      },
      {
        name: `log.page.${suffix}.ms`,
        value: ms,
        unit: "ms",
        peer,
        goal: suffix === "sqlite" ? goals.sqliteMs : null,
        ok: isQuick,
      },
    ];
  } finally {
    await hand.close();
    await database.close();
  }
}

async function fill({ db, dialect, servers, transaction }: Database): Promise<number> {
  const server_id = await servers.need(guildId);
  const started = Date.UTC(2026, 0, 1);
  for (let from = 0; from < entries; from += rowsOfStatement) {
    const values = Array.from({ length: rowsOfStatement }, (_, n) =>
      rowOf(server_id, started, from + n),
    );
    await transaction(() => db.insertInto("audit_log").values(values).execute());
  }
  if (dialect === "postgres") await sql`analyze audit_log`.execute(db);
  return server_id;
}

function rowOf(server_id: number, started: number, n: number) {
  const at = started + n * 60_000;
  const id = `${at}-${(n % 65_536).toString(16).padStart(8, "0")}`;
  const userId = people[n % people.length] ?? people[0];
  const authorName = n % rareEvery === 0 ? "Nia Calder" : `Visitor ${n % 7_919}`;
  const entry: AuditEntry = {
    id,
    at,
    by: { userId, userName: "Ann" },
    act: n % 4 === 0 ? "rejected" : "approved",
    from: "card",
    answer: "done",
    source: "UCown",
    commentId: `comment-${n}`,
    videoId: "dQw4w9WgXcQ",
    authorId: `UC${n % 7_919}`,
    authorName,
    text: "What people say about a video, which is a sentence or two in most cases.",
  };
  return {
    server_id,
    id,
    at,
    act: entry.act,
    actor_id: userId,
    comment_id: entry.commentId,
    author_id: entry.authorId ?? null,
    author_name: authorName.toLowerCase(),
    has_text: 1,
    data: JSON.stringify(entry),
  };
}

interface ByHand {
  read(): Promise<unknown>;
  close(): Promise<void>;
}

function handSqlite(url: string, serverId: number): ByHand {
  const file = new DatabaseSync(url.slice("sqlite:".length));
  const query = file.prepare(`
    select data from audit_log
    where server_id = ? and actor_id = ?
      and (instr(author_name, ?) > 0 or instr(lower(author_id), ?) > 0)
    order by id desc limit ${limit + 1}`);
  return {
    read: async () =>
      query
        .all(serverId, filter.actorId, filter.author, filter.author)
        .map((row) => JSON.parse(String(row.data))),
    close: async () => file.close(),
  };
}

async function handPostgres(url: string, serverId: number): Promise<ByHand> {
  const client = new pg.Client(url);
  await client.connect();
  const text = `
    select data from audit_log
    where server_id = $1 and actor_id = $2
      and (strpos(author_name, $3) > 0 or strpos(lower(author_id), $3) > 0)
    order by id desc limit ${limit + 1}`;
  const values = [serverId, filter.actorId, filter.author];
  return {
    read: async () =>
      (await client.query(text, values)).rows.map(({ data }) => JSON.parse(String(data))),
    close: () => client.end(),
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function medianOf(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
