/** SQL: one typed schema on SQLite or PostgreSQL, its migrations, transactions, and servers as owners of rows. */

export { type RawBuilder, sql } from "kysely";
export { describeDatabaseFailure } from "./failure.ts";
export { type Database, type OpenDatabaseOptions, openDatabase } from "./open-database.ts";
export { createRecordTable, type RecordTable } from "./record-table.ts";
export type * from "./schema.ts";
export {
  countServerRows,
  readServerRows,
  type ServerRow,
  type ServerRowCounts,
  type ServerRowTable,
} from "./server-rows.ts";
export { checkGuildId, type Servers } from "./servers.ts";
export { removeInSlices, type Slices } from "./slices.ts";
export { sqliteFileOf } from "./unusable.ts";
