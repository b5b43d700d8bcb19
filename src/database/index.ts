/** SQL: one typed schema on SQLite or PostgreSQL, its migrations, transactions, and servers as owners of rows. */

export { CompiledQuery, type RawBuilder, sql } from "kysely";
export { createBatches, createRowReader } from "./batches.ts";
export type { Database, Servers } from "./database.ts";
export {
  createServerErasedError,
  isUniqueConflict,
  parseSqlitePath,
  toDatabaseError,
} from "./failure.ts";
export { type OpenDatabaseOptions, openDatabase } from "./open-database.ts";
export { createRecordTable, type RecordTable } from "./record-table.ts";
export { removeInSlices, type SliceRemoval } from "./remove-in-slices.ts";
export type * from "./schema.ts";
export {
  countServerRows,
  readServerRows,
  type ServerRecordRow,
  type ServerRowCounts,
  type ServerRowTable,
} from "./server-rows.ts";
export { checkSnowflake } from "./servers.ts";
export { waitForDatabase } from "./wait-for-database.ts";
