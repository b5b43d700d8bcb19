import { type Kysely, sql } from "kysely";

/** A server's videos that are read again, by when: those of all its feeds are read together. */
export async function addLookIndex(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index announcements_looks on announcements (server_id, look_at)
    where look_at is not null`.execute(db);
}
