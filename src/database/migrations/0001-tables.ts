import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { Dialect } from "../schema.ts";
import { describeIndexes } from "./statistics.ts";

const owner = "bigint not null references servers (id) on delete cascade";

/** The columns of the first schema, in the words of SQL with two types of our own. */
export const firstColumns = {
  /** A Discord server that anything is stored about. Erasing it and setting it up again gives it another id. */
  servers: { id: "serial", guild_id: "word not null unique", added_at: "bigint not null" },
  /** What keyv keeps: read whole by its key. Rows without a server belong to nobody's erasure. */
  keyv: {
    key: "word primary key",
    server_id: "bigint references servers (id) on delete cascade",
    value: "text not null",
    expires_at: "bigint",
  },
  /** What a server's buttons take of its room, beside their rows in keyv: they go with those. */
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
    /** When the service was last asked what it is called; null where that is not known. */
    title_read_at: "bigint",
  },
  /** Which process refreshes the access token of a linked channel just now. */
  refresh_claims: {
    server_id: owner,
    channel_id: "word not null",
    held_by: "word not null",
    held_until: "bigint not null",
  },
  /** Consents that the authorisation service has still to be told to end. They outlive their server. */
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
    /** How far it is; apart, so that who changes one does not undo the other. */
    progress: "text not null default '{}'",
  },
  held_comments: {
    server_id: owner,
    watch_id: "word not null",
    /** Made of the comment's id, so the same in each watch. */
    id: "word not null",
    /** The linked channel it is decided as. */
    source: "word not null",
    status: "word not null",
    /** In which of the service's lists it was found. */
    listed_as: "word not null",
    published_at: "bigint not null",
    /** When a decision is to be sent, or looked up, or a snoozed comment comes back. */
    due_at: "bigint",
    /** Of a decision that waits or is on its way: its kind. */
    decision: "word",
    /** `due` or `sending` where its own card has to be sent, or may have been. */
    card_state: "word",
    /** The message that shows it shows an older revision. */
    needs_drawing: "integer not null",
    /** The digest that shows it, or tells what a rule did with it. */
    digest_id: "word",
    /** The same for comments that say the same; null for what is too short to count. */
    likeness: "word",
    read_at: "bigint not null",
    ended_at: "bigint",
    /** Whether the service's text and names are still in `data`. */
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
    /** Whether the service's text and names are still in `data`. */
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
    /** At random, so that a channel that is followed again has nothing of what was removed before. */
    id: "word not null",
    /** A server follows a channel once. */
    source: "word not null",
    added_at: "bigint not null",
    /** Whose units its looks take; null while nobody looks at it. */
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
    /** When an awaited video is looked at again; null where its channel's list tells. */
    look_at: "bigint",
    /** When it was met or came out, whichever is later. */
    at: "bigint not null",
    data: "text not null",
  },
  /** What a person spent of a budget on a day with a command. */
  spending: {
    server_id: owner,
    /** Of the video service the project that paid; of the image service the account. 32 hex digits. */
    project: "word not null",
    /** `2026-01-31`, in the service's own calendar. */
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
    /** Of that, what servers spent beyond their own parts. */
    lent: "bigint not null",
    /** The service said that nothing is left. */
    is_empty: "integer not null",
  },
  /**
   * What one server spent today of a project that several share, under a hash that only this bot can make of its id. It
   * belongs to no server, so that a server does not get its part of the day once more by erasing itself.
   */
  quota_parts: {
    part: "word not null",
    day: "word not null",
    bucket: "word not null",
    used: "bigint not null",
    /** Of that, for moderation. */
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
    /** Asked for while it ran: due again then. */
    wanted_at: "bigint",
    /** Taken back while it ran: it goes when it is over, unless it is wanted again. */
    is_taken_back: "integer not null default 0",
    tries: "integer not null",
    /** Whose it is while it runs, and until when that holds. */
    locked_by: "word",
    locked_until: "bigint",
    parked_at: "bigint",
    /** Code of the error that it failed with last. */
    failure: "word",
  },
  /** What is being erased on SQLite, slice by slice; a process that ends halfway is followed by one that goes on. */
  removals: {
    parent: "word not null",
    server_id: "bigint not null",
    /** Of a watch or a feed; empty for a server. */
    part_id: "word not null",
  },
} as const;

interface Keys {
  /** The primary key, where no column is it alone. */
  readonly key?: string;
  readonly constraint?: string;
  /** `where`: only such rows are in it, so that writes of others cost nothing. With a name where its columns are none. */
  readonly indexes?: readonly string[];
}

const firstKeys: Partial<Record<keyof typeof firstColumns, Keys>> = {
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

const types = {
  sqlite: { serial: "integer primary key autoincrement", word: "text" },
  // Ids and words compare by their bytes on both databases, so that pages follow each other.
  postgres: { serial: "bigserial primary key", word: 'text collate "C"' },
} as const satisfies Record<Dialect, unknown>;

/** The first schema. A migration is never changed once it was released: what comes later is another file. */
export const createTables = (dialect: Dialect): Migration => ({
  async up(db: Kysely<never>) {
    for (const [name, columns] of Object.entries(firstColumns)) {
      const keys = firstKeys[name as keyof typeof firstColumns] ?? {};
      await sql.raw(tableSql(name, columns, { ...keys, dialect })).execute(db);
      for (const index of keys.indexes ?? []) await sql.raw(indexSql(name, index)).execute(db);
    }
    if (dialect === "sqlite") await describeIndexes(db);
  },
});

function tableSql(
  name: string,
  columns: Readonly<Record<string, string>>,
  { dialect, key, constraint }: Keys & { readonly dialect: Dialect },
): string {
  const { serial, word } = types[dialect];
  const parts = Object.entries(columns).map(
    ([column, type]) => `${column} ${type.replace(/^serial/u, serial).replace(/^word/u, word)}`,
  );
  if (key !== undefined) parts.push(`constraint ${name}_key primary key (${key})`);
  if (constraint !== undefined) parts.push(`constraint ${constraint}`);
  // SQLite keeps such a table in the order of its key, so that the rows of a server lie together and their pages go with
  // them: in pages that several servers share, moving rows about leaves copies that no deletion overwrites.
  const isOwned = dialect === "sqlite" && key?.startsWith("server_id") === true;
  return `create table ${name} (${parts.join(", ")})${isOwned ? " without rowid" : ""}`;
}

function indexSql(table: string, index: string): string {
  const [, name, columns, rest] = /^(\w*) ?\(([^)]*)\)(.*)$/u.exec(index) ?? [];
  const usual = columns?.split(", ").filter((column) => column !== "server_id");
  const own = name || `${table}_by_${usual?.join("_") || "server"}`;
  return `create index ${own} on ${table} (${columns})${rest}`;
}
