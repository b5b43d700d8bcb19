import type { Kysely } from "kysely";
import { createTablesOf, type TableDialect, type TableKeys } from "./create-tables.ts";
import { describeIndexes } from "./statistics.ts";

const owner = "bigint not null references servers (id) on delete cascade";

/** The columns of the first schema, in the words of SQL with two types of our own. */
export const firstColumns = {
  /** A Discord server about which anything is stored. Erasing it and setting it up again gives it another id. */
  servers: { id: "serial", guild_id: "word not null unique", added_at: "bigint not null" },
  /** Records that keyv stores, each read as a whole by its key. Rows without a server are never erased with one. */
  keyv: {
    key: "word primary key",
    server_id: "bigint references servers (id) on delete cascade",
    value: "text not null",
    expires_at: "bigint",
  },
  /** How much of its limit a server's buttons use. A row is deleted with the button's own row in keyv. */
  continuations: {
    /** Grows with time. */
    id: "serial",
    key: "word not null unique references keyv (key) on delete cascade",
    server_id: owner,
    user_id: "word not null",
    bytes: "integer not null",
    expires_at: "bigint not null",
  },
  /** Which servers have linked which channel; the credential itself is sealed in keyv. */
  linked_channels: {
    server_id: owner,
    channel_id: "word not null",
    is_broken: "integer not null",
    /** When its title was last read from YouTube; null if that is not known. */
    title_read_at: "bigint",
  },
  /** Which process is refreshing the access token of a linked channel. */
  refresh_claims: {
    server_id: owner,
    channel_id: "word not null",
    held_by: "word not null",
    held_until: "bigint not null",
  },
  /** Consents that still have to be revoked at Google. They outlive their server. */
  revocations: {
    id: "word primary key",
    channel_id: "word",
    /** Sealed. */
    token: "text not null",
    added_at: "bigint not null",
    due_at: "bigint not null",
  },
  watches: {
    server_id: owner,
    id: "word not null",
    source: "word not null",
    is_paused: "integer not null",
    pace_ms: "bigint not null",
    /** What a poll costs. */
    poll_units: "integer not null",
    /** Since when it has not been able to poll; null while it can. */
    unable_since: "bigint",
    added_at: "bigint not null",
    data: "text not null",
    /** How far it has read; a column of its own, so that changes of it and of `data` do not undo each other. */
    progress: "text not null default '{}'",
  },
  held_comments: {
    server_id: owner,
    watch_id: "word not null",
    /** Made from the comment's id, so it is the same in each watch. */
    id: "word not null",
    /** The linked channel as which it is decided about. */
    source: "word not null",
    status: "word not null",
    /** YouTube's list in which it was found. */
    listed_as: "word not null",
    published_at: "bigint not null",
    /** When a decision is to be sent, or looked up, or a snoozed comment comes back. */
    due_at: "bigint",
    /** The kind of a decision that waits or is being sent. */
    decision: "word",
    /** `due` or `sending` if its own card has to be sent, or may have been sent. */
    card_state: "word",
    /** Its message shows an older revision. */
    needs_drawing: "integer not null",
    /** The digest that shows it, or says what a rule did with it. */
    digest_id: "word",
    /** Equal for comments with the same text; null for a text that is too short to count. */
    likeness: "word",
    read_at: "bigint not null",
    ended_at: "bigint",
    /** Whether YouTube's text and names are still in `data`. */
    has_text: "integer not null",
    data: "text not null",
  },
  digests: {
    server_id: owner,
    watch_id: "word not null",
    id: "word not null",
    card_state: "word not null",
    added_at: "bigint not null",
    data: "text not null",
  },
  authors: {
    server_id: owner,
    id: "word not null",
    seen: "integer not null",
    approved: "integer not null",
    rejected: "integer not null",
    last_at: "bigint not null",
  },
  audit_log: {
    server_id: owner,
    /** Sorts by time. */
    id: "word not null",
    at: "bigint not null",
    act: "word not null",
    /** Who did it: a person's id, or a rule's. */
    actor_id: "word not null",
    comment_id: "word not null",
    author_id: "word",
    /** In lower case, for filters; null once it is forgotten. */
    author_name: "text",
    /** Whether YouTube's text and names are still in `data`. */
    has_text: "integer not null",
    data: "text not null",
  },
  rule_books: { server_id: owner, data: "text not null" },
  saved_replies: {
    server_id: owner,
    id: "word not null",
    /** In lower case: no two of a server are alike. */
    name_key: "word not null",
    data: "text not null",
  },
  feeds: {
    server_id: owner,
    /** Random, so that a channel that is followed again gets none of the records that were removed before. */
    id: "word not null",
    /** The channel; a server follows each channel at most once. */
    source: "word not null",
    added_at: "bigint not null",
    /** The project whose quota reading it uses; null while it is not read. */
    project: "word",
    looks_a_day: "integer not null default 0",
    data: "text not null",
    progress: "text not null default '{}'",
  },
  announcements: {
    server_id: owner,
    feed_id: "word not null",
    video_id: "word not null",
    state: "word not null",
    /** When an awaited video is read again; null if its channel's list is enough. */
    look_at: "bigint",
    /** When it was first seen or published, whichever is later. */
    at: "bigint not null",
    data: "text not null",
  },
  /** What a person spent of a budget on a day with a command. */
  spending: {
    server_id: owner,
    /** At YouTube the project, at remove.bg the account that paid. 32 hex digits. */
    project: "word not null",
    /** `2026-01-31`, in YouTube's own calendar. */
    day: "word not null",
    bucket: "word not null",
    user_id: "word not null",
    command: "word not null",
    method: "word not null",
    purpose: "word not null",
    /** Units, calls, or thousandths of a credit. */
    amount: "bigint not null",
    /** Calls, or pictures. */
    count: "integer not null",
  },
  /** What all servers together spent of a project on a day. It belongs to no server. */
  quota: {
    project: "word not null",
    day: "word not null",
    bucket: "word not null",
    used: "bigint not null",
    /** The part of it that servers spent beyond their own parts. */
    lent: "bigint not null",
    /** YouTube said that nothing is left. */
    is_empty: "integer not null",
  },
  /**
   * What one server spent today of a project that several share, under a hash of its id that only this bot can compute. The
   * row belongs to no server, so that erasing a server does not give it a second part of the day.
   */
  quota_parts: {
    part: "word not null",
    day: "word not null",
    bucket: "word not null",
    used: "bigint not null",
    /** The part of it that was spent for moderation. */
    moderated: "bigint not null",
  },
  /** Which servers spend of a project that several share, and on which day they did so last. */
  quota_servers: { server_id: owner, project: "word not null", last_day: "word not null" },
  /** Durable work. */
  jobs: {
    queue: "word not null",
    key: "word not null",
    server_id: "bigint references servers (id) on delete cascade",
    data: "text not null",
    due_at: "bigint not null",
    /** Set when the job is put again while it runs: when it is due again. */
    wanted_at: "bigint",
    /** Removed while it ran: the row is deleted when the run ends, unless the job is put again. */
    is_taken_back: "integer not null default 0",
    tries: "integer not null",
    /** The process that runs it, and until when it holds the job. */
    locked_by: "word",
    locked_until: "bigint",
    parked_at: "bigint",
    /** Code of the last error. */
    failure: "word",
  },
  /** What is being erased on SQLite, slice by slice. If a process ends halfway, the next one continues. */
  removals: {
    parent: "word not null",
    server_id: "bigint not null",
    /** Of a watch or a feed; empty for a server. */
    part_id: "word not null",
  },
} as const;

const firstKeys: Partial<Record<keyof typeof firstColumns, TableKeys>> = {
  keyv: { indexes: ["(server_id)", "(expires_at)"] },
  continuations: { indexes: ["(server_id, user_id, id, expires_at, bytes)"] },
  linked_channels: { key: "server_id, channel_id", indexes: ["(channel_id)", "(title_read_at)"] },
  refresh_claims: { key: "server_id, channel_id" },
  revocations: { indexes: ["(channel_id)", "(due_at)"] },
  watches: {
    key: "server_id, id",
    indexes: ["(is_paused, unable_since, pace_ms, poll_units, server_id)"],
  },
  held_comments: {
    key: "server_id, watch_id, id",
    constraint:
      "held_comments_watch foreign key (server_id, watch_id) references watches (server_id, id) on delete cascade",
    indexes: [
      "(server_id, id)",
      "(server_id, watch_id, status, published_at, id)",
      "(server_id, watch_id, due_at) where status = 'later'",
      "(server_id, source, status, decision, due_at) where decision is not null",
      "(server_id, watch_id, card_state, published_at) where card_state is not null",
      "(server_id, watch_id, published_at) where needs_drawing = 1",
      "(server_id, watch_id, digest_id)",
      "(server_id, likeness, published_at) where likeness is not null",
      "(status) where ended_at is null",
      "(ended_at) where ended_at is not null",
      "(has_text, read_at)",
    ],
  },
  digests: {
    key: "server_id, watch_id, id",
    constraint:
      "digests_watch foreign key (server_id, watch_id) references watches (server_id, id) on delete cascade",
    indexes: ["(server_id, watch_id, card_state, added_at)", "(added_at)"],
  },
  authors: { key: "server_id, id", indexes: ["(last_at)"] },
  audit_log: {
    key: "server_id, id",
    indexes: [
      "(server_id, actor_id, id)",
      "(server_id, act, id)",
      "(server_id, author_id, id)",
      "(server_id, comment_id, id)",
      "(at)",
      "(has_text, at)",
    ],
  },
  rule_books: { key: "server_id" },
  saved_replies: {
    key: "server_id, id",
    constraint: "saved_replies_name unique (server_id, name_key)",
  },
  feeds: {
    key: "server_id, id",
    constraint: "feeds_source unique (server_id, source)",
    indexes: ["(project, looks_a_day)"],
  },
  announcements: {
    key: "server_id, feed_id, video_id",
    constraint:
      "announcements_feed foreign key (server_id, feed_id) references feeds (server_id, id) on delete cascade",
    indexes: ["(server_id, feed_id, state, look_at)", "(server_id, feed_id, at)"],
  },
  spending: {
    key: "server_id, day, bucket, user_id, project, command, method, purpose",
    indexes: ["(day)"],
  },
  quota: { key: "project, day, bucket", indexes: ["(day)"] },
  quota_parts: { key: "day, part, bucket" },
  quota_servers: { key: "server_id, project", indexes: ["(project, last_day)"] },
  jobs: {
    key: "queue, key",
    indexes: [
      "(server_id)",
      "jobs_waiting (queue, due_at, server_id) where locked_by is null and parked_at is null",
      "jobs_locked (locked_until) where locked_by is not null",
      "jobs_parked (parked_at) where parked_at is not null",
    ],
  },
  removals: { key: "parent, server_id, part_id" },
};

/** The first schema. A released migration is never changed; later changes go into another file. */
export async function createTables(db: Kysely<unknown>, dialect: TableDialect): Promise<void> {
  await createTablesOf(db, { columns: firstColumns, keys: firstKeys, dialect });
  if (dialect === "sqlite") await describeIndexes(db);
}
