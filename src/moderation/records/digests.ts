import { createRecordTable, type Database, sql } from "../../database/index.ts";
import type { RecordsPage } from "./comment-queries.ts";
import type { CardMessage } from "./held-comment.ts";
import { selectRecords } from "./select-records.ts";

/** Several comments in one message. */
export interface Digest {
  /** 32 hex digits. */
  readonly id: string;
  readonly watchId: string;
  /** At most 25, in order. */
  readonly itemIds: readonly string[];
  readonly revision: number;
  readonly card: CardMessage;
  /** The channel it is posted in, if not the watch's own. */
  readonly channelId?: string | undefined;
  /** Somebody agreed that everyone can read that channel. */
  readonly mayBePublic?: true | undefined;
  /** What rules did with these comments by themselves. Such a digest only informs and asks for no decision. */
  readonly acts?: readonly {
    readonly itemId: string;
    readonly ruleId: string;
    readonly ruleName: string;
  }[];
  readonly addedAt: number;
}

/** All of it throws ServiceError `store_unavailable`. */
export function createDigestRecords(database: Database) {
  const table = createRecordTable<"digests", Digest>(database, {
    table: "digests",
    key: ["watch_id", "id"],
    columnsOf: ({ card, addedAt }) => ({ card_state: card.state, added_at: addedAt }),
  });
  return {
    /** Takes the watch's id and its own. */
    read: table.read,
    /** As `RecordTable.change`. */
    change: <U extends Digest | undefined>(
      guildId: string,
      { watchId, id }: Pick<Digest, "watchId" | "id">,
      make: (stored: Digest | undefined) => U,
    ) => table.change(guildId, [watchId, id], make),
    /** All of a watch, page by page, in the order of their ids. */
    readPage: (guildId: string, { watchId, after = "", limit }: RecordsPage) =>
      selectRecords<Digest>(database, guildId, {
        table: "digests",
        where: sql`watch_id = ${watchId} and id > ${after} order by id limit ${limit}`,
      }),
    /** Digests of a watch that have to be sent, or may have been sent, the oldest first. */
    due: (guildId: string, watchId: string, limit: number) =>
      selectRecords<Digest>(database, guildId, {
        table: "digests",
        where: sql`watch_id = ${watchId} and card_state in ('due', 'sending')
          order by added_at, id limit ${limit}`,
      }),
  };
}
