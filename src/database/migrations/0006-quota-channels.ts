import { type Kysely, sql } from "kysely";
import { createTablesOf, type TableDialect } from "./create-tables.ts";

/**
 * Which linked channels spend of a project that several share, and who linked them; takes the place of `quota_servers`. Days
 * are those of Los Angeles, `2026-01-31`.
 */
export const quotaChannelColumns = {
  quota_channels: {
    server_id: "bigint not null references servers (id) on delete cascade",
    project: "word not null",
    channel_id: "word not null",
    /** Discord user id. */
    linked_by: "word not null",
    first_day: "word not null",
    last_day: "word not null",
  },
} as const;

export async function createQuotaChannelTable(db: Kysely<unknown>, dialect: TableDialect) {
  const indexes = ["(project, last_day)"];
  const keys = { quota_channels: { key: "server_id, project, channel_id", indexes } };
  await createTablesOf(db, { columns: quotaChannelColumns, keys, dialect });
  // Channels that are linked already have a full part. Who linked them is known when they are next used.
  await sql`
    insert into quota_channels (server_id, project, channel_id, linked_by, first_day, last_day)
    select quota_servers.server_id, project, channel_id,
      'server ' || cast(quota_servers.server_id as text),
      '2000-01-01', last_day
    from quota_servers
    join linked_channels on linked_channels.server_id = quota_servers.server_id`.execute(db);
}
