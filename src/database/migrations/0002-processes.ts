import { type Kysely, sql } from "kysely";
import { createTablesOf, type TableDialect, type TableKeys } from "./create-tables.ts";

const owner = "bigint not null references servers (id) on delete cascade";

/** What several processes that share a database have to know of each other. */
export const processColumns = {
  /** Interactions that a process of this bot has received. Of several that receive one, the first to add its row goes on. */
  interactions: {
    /** Discord's own id. */
    id: "word primary key",
    server_id: "bigint references servers (id) on delete cascade",
    /** The process that answers it. */
    claimed_by: "word not null",
    /** Whether the person still waits for the answer. */
    is_open: "integer not null",
    /** The person wants it stopped. */
    is_cancelled: "integer not null default 0",
    /** What may not be carried out by two at once, while it is carried out; null otherwise. */
    once_key: "word unique",
    /** How often another process went on with it, because the one before had ended. */
    takeovers: "integer not null default 0",
    /** What was asked, with the token to answer with, sealed; null once it is answered. */
    request: "text",
    expires_at: "bigint not null",
  },
  /** Rates that all processes keep together, such as the megapixels a minute of an image key. They belong to no server. */
  rates: {
    key: "word primary key",
    data: "text not null",
    expires_at: "bigint not null",
  },
  /** Where a connection to Discord's gateway stood, so that the process that follows can go on with it. */
  gateway_sessions: {
    shard_count: "integer not null",
    shard_id: "integer not null",
    session_id: "word not null",
    resume_url: "text not null",
    sequence: "bigint not null",
    /** The process that has the connection; null once it gave it up. */
    held_by: "word",
    saved_at: "bigint not null",
  },
  /** Pictures from remove.bg that people may want in another form, sealed. Only where several processes answer. */
  files: {
    id: "word primary key",
    server_id: owner,
    content: "bytes not null",
    size: "integer not null",
    expires_at: "bigint not null",
  },
  /** The oldest migration that a program has to know to work with this schema; one row. */
  schema_floor: { migration: "word not null" },
} as const;

const processKeys: Partial<Record<keyof typeof processColumns, TableKeys>> = {
  interactions: {
    indexes: [
      "(server_id)",
      "(expires_at)",
      "interactions_open (claimed_by, is_cancelled) where is_open = 1",
    ],
  },
  rates: { indexes: ["(expires_at)"] },
  gateway_sessions: { key: "shard_count, shard_id" },
  files: { indexes: ["(server_id)", "(expires_at)"] },
};

export async function createProcessTables(db: Kysely<unknown>, dialect: TableDialect) {
  await createTablesOf(db, { columns: processColumns, keys: processKeys, dialect });
  // Counts what other processes have to notice, such as a write that makes a remembered list old.
  await sql`alter table servers add column changes bigint not null default 0`.execute(db);
  await sql`insert into schema_floor (migration) values ('0001-tables')`.execute(db);
}
