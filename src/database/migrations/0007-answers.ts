import { type Kysely, sql } from "kysely";

/** Whether `request` of an interaction has its answer, which is on record before it is sent. */
export async function addAnswers(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table interactions add column is_answered integer not null default 0`.execute(db);
}
