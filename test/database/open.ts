import { describe, onTestFinished } from "vitest";
import { type Database, type OpenDatabaseOptions, openDatabase } from "../../src/database/index.ts";
import { type Kind, kinds, type Place } from "../support/databases/kinds.ts";

export const guild = "111111111111111111";
export const otherGuild = "222222222222222222";

/** Opened for one test, and closed after it. */
export async function openFor(options: OpenDatabaseOptions): Promise<Database> {
  const database = await openDatabase(options);
  onTestFinished(() => database.close());
  return database;
}

/** The same facts on each kind of database; skipped by name where it is not installed. */
export function onEach(facts: (kind: () => Kind) => void): void {
  describe.each(kinds)("on $name", ({ make }) => {
    describe.skipIf(make === undefined)("", () => {
      let kind: Kind | undefined;
      facts(() => {
        kind ??= make?.();
        if (kind === undefined) throw new TypeError("this kind is not installed");
        return kind;
      });
    });
  });
}

export async function rowsOf(place: Place, table: string): Promise<number> {
  const [row] = await place.query(`select count(*) as n from ${table}`);
  return Number(row?.n);
}
