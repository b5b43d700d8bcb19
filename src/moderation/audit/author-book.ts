import {
  type AuthorHistory,
  found,
  type ModerationRows,
  type QueuedComment,
} from "../../store/index.ts";
import { authorKeyOf } from "../items.ts";

/** Counts, by author, what came of their comments here. Of a comment without an author nothing is kept. */
export interface AuthorBook {
  read(guildId: string, authorId: string): Promise<AuthorHistory | undefined>;
  /** Comments that came into a queue for the first time. @throws ServiceError `store_unavailable`. */
  seen(guildId: string, comments: readonly QueuedComment[]): Promise<void>;
  /** @throws ServiceError `store_unavailable`. */
  decided(
    guildId: string,
    authorId: string | undefined,
    what: "approved" | "rejected",
  ): Promise<void>;
}

const nothing: AuthorHistory = { seen: 0, approved: 0, rejected: 0, lastAt: 0 };

export function createAuthorBook(
  { authors }: Pick<ModerationRows, "authors">,
  now: () => number,
): AuthorBook {
  async function count(guildId: string, authorId: string, what: Partial<AuthorHistory>) {
    await authors.update(guildId, authorKeyOf(authorId), (stored = nothing) => ({
      seen: stored.seen + (what.seen ?? 0),
      approved: stored.approved + (what.approved ?? 0),
      rejected: stored.rejected + (what.rejected ?? 0),
      lastAt: Math.max(stored.lastAt, now()),
    }));
  }

  return {
    read: async (guildId, authorId) => found(await authors.read(guildId, authorKeyOf(authorId))),
    async seen(guildId, comments) {
      const counts = new Map<string, number>();
      for (const { authorId } of comments) {
        if (authorId !== undefined) counts.set(authorId, (counts.get(authorId) ?? 0) + 1);
      }
      for (const [authorId, seen] of counts) await count(guildId, authorId, { seen });
    },
    async decided(guildId, authorId, what) {
      if (authorId !== undefined) await count(guildId, authorId, { [what]: 1 });
    },
  };
}
