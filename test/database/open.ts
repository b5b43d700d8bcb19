import { onTestFinished } from "vitest";
import { type Database, type OpenDatabaseOptions, openDatabase } from "../../src/database/index.ts";
import type { Place } from "../support/databases/kinds.ts";

export const guild = "111111111111111111";
export const otherGuild = "222222222222222222";

/** Opens a database for one test, and closes it after the test. */
export async function openFor(options: OpenDatabaseOptions): Promise<Database> {
  const database = await openDatabase(options);
  onTestFinished(() => database.close());
  return database;
}

export async function rowsOf(place: Place, table: string): Promise<number> {
  const [row] = await place.query(`select count(*) as n from ${table}`);
  return Number(row?.n);
}
