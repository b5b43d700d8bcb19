import type { Migration } from "kysely/migration";
import type { Dialect } from "../schema.ts";
import { createTables } from "./0001-tables.ts";

/** In the order of their names, which the database remembers. */
export function migrationsFor(dialect: Dialect): Readonly<Record<string, Migration>> {
  return { "0001-tables": createTables(dialect) };
}
