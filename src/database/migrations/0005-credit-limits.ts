import { type Kysely, sql } from "kysely";

/**
 * Servers that have a remove.bg key already are told that people's credits are limited: one job each, which runs as soon as
 * this version starts. Later ones read it where they enter their key.
 */
export async function tellCreditLimits(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into jobs (queue, key, server_id, data, due_at, tries)
    select 'credits', 'limits:' || servers.guild_id, servers.id, '"limits"', 0, 0
    from keyv join servers on servers.id = keyv.server_id
    where keyv.key = 'credential:' || servers.guild_id || ':background-key'`.execute(db);
}
