import type { Kysely } from "kysely";
import { createTablesOf, type TableDialect } from "./create-tables.ts";

const owner = "bigint not null references servers (id) on delete cascade";

/** Lists of words, links and authors that servers subscribe to, and rules that servers share. */
export const ruleListColumns = {
  rule_lists: {
    server_id: owner,
    id: "word not null",
    /** A hash of the list's address, or the id of the share that it comes from. */
    source: "word not null",
    data: "text not null",
  },
  /** Apart from the lists, because it is large. */
  rule_list_contents: {
    server_id: owner,
    list_id: "word not null",
    data: "text not null",
  },
  rule_shares: {
    server_id: owner,
    id: "word not null",
    /** The SHA-256 of the code that other servers enter. */
    code_hash: "word not null",
    data: "text not null",
  },
} as const;

export async function createRuleListTables(db: Kysely<unknown>, dialect: TableDialect) {
  const keys = {
    rule_lists: { key: "server_id, id", indexes: ["(source)"] },
    rule_list_contents: { key: "server_id, list_id" },
    rule_shares: { key: "server_id, id", indexes: ["(code_hash)", "(id)"] },
  };
  await createTablesOf(db, { columns: ruleListColumns, keys, dialect });
}
