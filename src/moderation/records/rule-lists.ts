import { createRecordTable, type Database, sql } from "../../database/index.ts";
import type { Facts } from "../../errors.ts";
import { hashToRecordId } from "../../store/index.ts";
import { selectRecords } from "./select-records.ts";

/** What a shared list holds. Patterns are never taken from outside. */
export interface ListContent {
  readonly words: readonly string[];
  /** Hosts, with a path or without: `example.com`, `example.com/gift`. */
  readonly links: readonly string[];
  /** Channel ids. */
  readonly authors: readonly string[];
}

/** A list that a server subscribes to. Times are milliseconds since the epoch. */
export interface RuleList {
  /** 16 hex digits. */
  readonly id: string;
  /** At most 60 characters. */
  readonly name: string;
  /** `url`: where it is fetched. `shareId`: rules that another server shares. */
  readonly from: { readonly url: string } | { readonly shareId: string };
  /** A hash of its content. */
  readonly version: string;
  readonly counts: { readonly [K in keyof ListContent]: number };
  /** How many entries could not be used. */
  readonly skipped: number;
  /** What the host says of its version, to be asked with next time. */
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
  /** When it was last fetched, or found unchanged, and when its content last changed. */
  readonly checkedAt: number;
  readonly changedAt: number;
  /** Why it can't be refreshed; the content stays as it was. */
  readonly failure?:
    | {
        readonly code: string;
        readonly facts: Facts;
        readonly since: number;
        readonly isTold: boolean;
      }
    | undefined;
  /** A newer copy that is not used, because it would match too many comments; people may accept it. */
  readonly refused?: RefusedCopy | undefined;
  readonly addedBy: string;
  readonly addedAt: number;
  /** Nobody has switched it on yet; it is removed after a while. */
  readonly isDraft?: true | undefined;
  /** In a draft: the list that gets this content once someone accepts it. */
  readonly replaces?: string | undefined;
  /** The rule that looks for it; absent in a draft. */
  readonly ruleId?: string | undefined;
  /** It is over: what it left on comments that wait is being taken back. */
  readonly endedAt?: number | undefined;
}

/** A copy of a list that is not used. */
export interface RefusedCopy extends Pick<RuleList, "version" | "etag" | "lastModified"> {
  readonly since: number;
  /** How many recent comments of the server the copy would match, out of `tried`. */
  readonly matches: number;
  readonly tried: number;
}

/** Rules that a server shares with those who have the code. */
export interface RuleShare {
  /** 16 hex digits. */
  readonly id: string;
  /** What subscribers see. */
  readonly name: string;
  readonly addedBy: string;
  readonly addedAt: number;
}

/** All of it throws ServiceError `store_unavailable`. */
export function createRuleListRecords(database: Database) {
  const { db } = database;
  const lists = createRecordTable<"rule_lists", RuleList>(database, {
    table: "rule_lists",
    key: ["id"],
    columnsOf: ({ from }) => ({ source: sourceOf(from) }),
  });
  const contents = createRecordTable<"rule_list_contents", ListContent>(database, {
    table: "rule_list_contents",
    key: ["list_id"],
  });
  return {
    read: (guildId: string, id: string) => lists.read(guildId, id),
    /** All of a server, drafts and ended ones too; unsorted. */
    all: (guildId: string) =>
      selectRecords<RuleList>(database, guildId, { table: "rule_lists", where: sql`true` }),
    change: lists.change,
    content: (guildId: string, id: string) => contents.read(guildId, id),
    putContent: (guildId: string, id: string, content: ListContent) =>
      contents.change(guildId, [id], () => content),
    async remove(guildId: string, id: string): Promise<void> {
      await contents.remove(guildId, id);
      await lists.remove(guildId, id);
    },
    /** Lists of all servers from that place, at most 500. */
    async ofSource(from: RuleList["from"]) {
      const { rows } = await sql<{ guild_id: string; data: string }>`
        select guild_id, data from rule_lists join servers on servers.id = rule_lists.server_id
        where source = ${sourceOf(from)} limit 500`.execute(db);
      return rows.map(({ guild_id: guildId, data }) => {
        return { guildId, list: JSON.parse(data) as RuleList }; // only lists are stored there
      });
    },
  };
}

function sourceOf(from: RuleList["from"]): string {
  return "url" in from ? hashToRecordId(from.url) : from.shareId;
}

/** All of it throws ServiceError `store_unavailable`. */
export function createRuleShareRecords(database: Database) {
  const { db, servers } = database;

  async function find(column: "code_hash" | "id", value: string) {
    const { rows } = await sql<{ guild_id: string; data: string }>`
      select guild_id, data from rule_shares join servers on servers.id = rule_shares.server_id
      where ${sql.ref(`rule_shares.${column}`)} = ${value}`.execute(db);
    const [row] = rows;
    if (row === undefined) return undefined;
    return { guildId: row.guild_id, share: JSON.parse(row.data) as RuleShare }; // only shares are stored there
  }

  return {
    /** A server has at most one. */
    async ofServer(guildId: string): Promise<RuleShare | undefined> {
      const where = sql`true`;
      const [share] = await selectRecords<RuleShare>(database, guildId, {
        table: "rule_shares",
        where,
      });
      return share;
    },
    byCode: (code: string) => find("code_hash", hashToRecordId(code)),
    byId: (id: string) => find("id", id),
    async put(guildId: string, share: RuleShare, code: string): Promise<void> {
      const server_id = await servers.need(guildId);
      const data = JSON.stringify(share);
      const row = { server_id, id: share.id, code_hash: hashToRecordId(code), data };
      await db.insertInto("rule_shares").values(row).execute();
    },
    async remove(guildId: string): Promise<void> {
      const serverId = await servers.find(guildId);
      await db
        .deleteFrom("rule_shares")
        .where("server_id", "=", serverId ?? 0)
        .execute();
    },
  };
}
