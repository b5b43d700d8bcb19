import { createRecordTable, type Database } from "../../database/index.ts";
import type { RuleBook } from "./rule.ts";

/** All of it throws ServiceError `store_unavailable`. */
export interface RuleBookRecords {
  read(guildId: string): Promise<RuleBook | undefined>;
  /** As `RecordTable.change`. */
  change<U extends RuleBook | undefined>(
    guildId: string,
    make: (stored: RuleBook | undefined) => U,
  ): Promise<U>;
}

export function createRuleBooks(database: Database): RuleBookRecords {
  const table = createRecordTable<"rule_books", RuleBook>(database, {
    table: "rule_books",
    key: [],
  });
  return {
    read: (guildId) => table.read(guildId),
    change: (guildId, make) => table.change(guildId, [], make),
  };
}
