import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Whether `request` of an interaction has its answer, which is on record before it is sent. */
export const addAnswers: Migration = {
  async up(db) {
    await sql`
      alter table interactions add column is_answered integer not null default 0`.execute(db);
  },
};
