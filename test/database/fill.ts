import type { Database } from "../../src/database/index.ts";

export interface FillOptions {
  /** How many rows of each kind that a server may have many of. */
  readonly rows: number;
  /** A word that is in every text of the server. */
  readonly word?: string;
}

/** The tables whose every row belongs to a server. */
export const ownedTables = [
  ...["keyv", "continuations", "linked_channels", "refresh_claims"],
  ...["watches", "held_comments", "digests", "authors", "author_notes", "audit_log"],
  ...["rule_books", "saved_replies", "feeds", "announcements", "spending", "jobs"],
  ...["quota_servers", "quota_channels", "interactions", "files"],
  ...["rule_lists", "rule_list_contents", "rule_shares"],
];

const at = Date.UTC(2026, 0, 2);
/** How many rows one statement inserts. */
const chunk = 100;

/** Fills every such table for a server: one watch and one feed with all comments and announcements. */
export async function fillServer(
  database: Database,
  guildId: string,
  { rows, word = "text" }: FillOptions,
): Promise<void> {
  const { db, servers, transaction } = database;
  const server_id = await servers.need(guildId);
  const numbers = Array.from({ length: rows }, (_, n) => String(n).padStart(6, "0"));
  const data = (n: string) => JSON.stringify({ id: n, text: `${word} ${n} `.repeat(5) });
  await transaction(async () => {
    const one = { server_id, source: "UC-a", added_at: at, data: data("x") };
    await db
      .insertInto("watches")
      .values({ ...one, id: "w0", is_paused: 0, pace_ms: 60_000, poll_units: 1 })
      .execute();
    await db
      .insertInto("feeds")
      .values({ ...one, id: "f0" })
      .execute();
    await db
      .insertInto("rule_books")
      .values({ server_id, data: data("rules") })
      .execute();
    await db
      .insertInto("rule_lists")
      .values({ server_id, id: "l0", source: "s", data: data("list") })
      .execute();
    await db
      .insertInto("rule_list_contents")
      .values({ server_id, list_id: "l0", data: data("content") })
      .execute();
    await db
      .insertInto("rule_shares")
      .values({ server_id, id: guildId, code_hash: guildId, data: data("share") })
      .execute();
    await db
      .insertInto("linked_channels")
      .values({ server_id, channel_id: "UC-a", is_broken: 0, title_read_at: at })
      .execute();
    await db
      .insertInto("refresh_claims")
      .values({ server_id, channel_id: "UC-a", held_by: "p", held_until: at })
      .execute();
    await db
      .insertInto("quota_servers")
      .values({ server_id, project: "p", last_day: "2026-01-02" })
      .execute();
    const days = { first_day: "2026-01-01", last_day: "2026-01-02" };
    await db
      .insertInto("quota_channels")
      .values({ server_id, project: "p", channel_id: "UC-a", linked_by: "1", ...days })
      .execute();
    const digest = { server_id, watch_id: "w0", card_state: "posted" };
    await db
      .insertInto("digests")
      .values({ ...digest, id: "d0", added_at: at, data: data("d") })
      .execute();
    await db
      .insertInto("saved_replies")
      .values({ server_id, id: "r0", name_key: word, data: data("r") })
      .execute();
    for (let from = 0; from < rows; from += chunk) {
      await fillMany(database, {
        server_id,
        guildId,
        data,
        numbers: numbers.slice(from, from + chunk),
      });
    }
  });
}

interface ManyRows {
  readonly server_id: number;
  readonly guildId: string;
  readonly numbers: readonly string[];
  readonly data: (n: string) => string;
}

async function fillMany({ db }: Database, { server_id, guildId, numbers, data }: ManyRows) {
  const key = (n: string) => `settings:${guildId}:${n}`;
  await db
    .insertInto("keyv")
    .values(numbers.map((n) => ({ key: key(n), server_id, value: data(n), expires_at: null })))
    .execute();
  const button = { server_id, user_id: "1", bytes: 9, expires_at: at };
  await db
    .insertInto("continuations")
    .values(numbers.map((n) => ({ ...button, key: key(n) })))
    .execute();
  await db
    .insertInto("held_comments")
    .values(
      numbers.map((n) => ({
        server_id,
        data: data(n),
        watch_id: "w0",
        id: `i${n}`,
        source: "UC-a",
        status: "open",
        listed_as: "heldForReview",
        published_at: at,
        due_at: null,
        card_state: "posted",
        needs_drawing: 0,
        digest_id: null,
        likeness: n,
        read_at: at,
        ended_at: null,
        has_text: 1,
      })),
    )
    .execute();
  const asked = { server_id, claimed_by: "p", is_open: 1, once_key: null, expires_at: at };
  await db
    .insertInto("interactions")
    .values(numbers.map((n) => ({ ...asked, id: `${guildId}${n}`, request: data(n) })))
    .execute();
  const file = { server_id, size: 1, expires_at: at };
  await db
    .insertInto("files")
    .values(numbers.map((n) => ({ ...file, id: `${guildId}${n}`, content: Buffer.from(data(n)) })))
    .execute();
  const sent = { server_id, feed_id: "f0", state: "sent", look_at: null, at };
  await db
    .insertInto("announcements")
    .values(numbers.map((n) => ({ ...sent, video_id: n, data: data(n) })))
    .execute();
  const author = { server_id, seen: 1, approved: 0, rejected: 0, last_at: at };
  await db
    .insertInto("authors")
    .values(numbers.map((id) => ({ ...author, id })))
    .execute();
  await db
    .insertInto("author_notes")
    .values(numbers.map((id) => ({ server_id, author_id: "UC-x", id, at, data: data(id) })))
    .execute();
  const entry = { server_id, at, act: "approved", actor_id: "1", author_id: "UC-x" };
  await db
    .insertInto("audit_log")
    .values(
      numbers.map((n) => ({
        ...entry,
        id: `${at}-${n}`,
        comment_id: n,
        author_name: "ada",
        has_text: 1,
        data: data(n),
      })),
    )
    .execute();
  await db
    .insertInto("spending")
    .values(
      numbers.map((n) => ({
        server_id,
        project: "p",
        day: "2026-01-02",
        bucket: "units",
        user_id: n,
        command: "search",
        method: "search.list",
        purpose: "command",
        amount: 100,
        count: 1,
      })),
    )
    .execute();
  const idle = { wanted_at: null, locked_by: null, locked_until: null, parked_at: null };
  const job = { ...idle, server_id, queue: "test", due_at: at, tries: 0, failure: null };
  await db
    .insertInto("jobs")
    .values(numbers.map((n) => ({ ...job, key: `${guildId}:${n}`, data: data(n) })))
    .execute();
}
