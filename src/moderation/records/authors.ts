import { type Database, sql } from "../../database/index.ts";
import { rowIdOf } from "../../store/index.ts";

/** What is known of somebody who comments, in one guild. */
export interface AuthorHistory {
  readonly seen: number;
  readonly approved: number;
  readonly rejected: number;
  /** Milliseconds since the epoch. */
  readonly lastAt: number;
}

type Counts = Omit<AuthorHistory, "lastAt">;

/** Counts, by author, what came of their comments. All of it throws ServiceError `store_unavailable`. */
export function createAuthors({ db, servers, now }: Database) {
  async function addAll(
    guildId: string,
    all: readonly (Counts & { readonly id: string })[],
  ): Promise<void> {
    if (all.length === 0) return;
    const server_id = await servers.need(guildId);
    const last_at = now();
    await db
      .insertInto("authors")
      .values(all.map((counts) => ({ server_id, ...counts, last_at })))
      .onConflict((conflict) =>
        conflict.columns(["server_id", "id"]).doUpdateSet({
          seen: sql`authors.seen + excluded.seen`,
          approved: sql`authors.approved + excluded.approved`,
          rejected: sql`authors.rejected + excluded.rejected`,
          last_at: sql`excluded.last_at`,
        }),
      )
      .execute();
  }

  return {
    async read(guildId: string, authorId: string): Promise<AuthorHistory | undefined> {
      const serverId = await servers.find(guildId);
      const row = await db
        .selectFrom("authors")
        .select(["seen", "approved", "rejected", "last_at"])
        .where("server_id", "=", serverId ?? 0)
        .where("id", "=", rowIdOf(authorId))
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const { last_at: lastAt, ...counts } = row;
      return { ...counts, lastAt };
    },
    /** Adds to what is known; of a comment without an author nothing is kept. */
    async add(guildId: string, authorId: string | undefined, what: Partial<Counts>) {
      if (authorId === undefined) return;
      await addAll(guildId, [{ ...none, ...what, id: rowIdOf(authorId) }]);
    },
    /** How often each was seen, by their ids. */
    addSeen: (guildId: string, times: ReadonlyMap<string, number>) =>
      addAll(
        guildId,
        Array.from(times, ([authorId, seen]) => ({ ...none, seen, id: rowIdOf(authorId) })),
      ),
  };
}

const none: Counts = { seen: 0, approved: 0, rejected: 0 };
