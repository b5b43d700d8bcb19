/** SQL: one typed schema on SQLite or PostgreSQL, its migrations, transactions, and servers as owners of rows. */

export { sql } from "kysely";
export type { Dialect } from "./dialect.ts";
export { describeDatabaseFailure } from "./failure.ts";
export { type Database, type OpenDatabaseOptions, openDatabase } from "./open-database.ts";
export { createRecordTable, type RecordTable } from "./record-table.ts";
export type * from "./schema.ts";
export { checkGuildId, type Servers } from "./servers.ts";
