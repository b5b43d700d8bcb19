import { historyBeside, readAuthorComments } from "./author-comments.ts";
import type { CommentDecider } from "./decide/index.ts";
import {
  type AuthorHistory,
  type CommentCursor,
  type DecisionDelay,
  type HeldComment,
  type ItemRef,
  type ModerationRecords,
  toItemId,
} from "./records/index.ts";
import type { DigestView } from "./types.ts";

/** All decisions of a batch wait for the same thing, so looking at some of them is enough. */
const lookedAt = 50;

interface UnsentDecisions {
  readonly count: number;
  readonly delay?: DecisionDelay | undefined;
}

export type Queue = ReturnType<typeof createQueue>;

/** The queue of one guild: reads it, and takes decisions through `decider`. */
export function createQueue(
  { records, decider }: { readonly records: ModerationRecords; readonly decider: CommentDecider },
  guildId: string,
) {
  const { comments, digests, authors, watches } = records;
  return {
    ...decider.of(guildId),
    async item(ref: ItemRef): Promise<HeldComment | undefined> {
      const item = await comments.read(guildId, ref);
      return item && (await comments.asShown(guildId, [item]))[0];
    },
    /** Comments of a watch, in the order of `ids`; unknown ones are left out. */
    items: async (watchId: string, ids: readonly string[]) =>
      comments.asShown(guildId, await comments.readAll(guildId, watchId, ids)),
    /** A linked channel's comment, once for each watch that has it. */
    async itemsOf(source: string, commentId: string) {
      const everywhere = await comments.readInAllWatches(guildId, toItemId(commentId));
      return everywhere.filter((one) => one.source === source);
    },
    /**
     * The oldest open comment of a watch after another one, and how many there are from there on, counted up to 1,000. What
     * several watches of a linked channel have is one comment: if it is snoozed or decided in one, or shown there, it is left
     * out. `shown`: ids of the watches that were gone through before.
     */
    async next(watchId: string, after?: CommentCursor, shown: readonly string[] = []) {
      const all = await watches.readAll(guildId);
      const source = all.find(({ id }) => id === watchId)?.source;
      const others = all.filter((one) => one.source === source && one.id !== watchId);
      const otherIds = others.map(({ id }) => id);
      return comments.readNextOpen(guildId, {
        watchId,
        after,
        others: otherIds,
        shown: otherIds.filter((id) => shown.includes(id)),
      });
    },
    /** How many decisions that were due at exactly that time have no outcome yet, and why, if they are kept for now. */
    async unsent(dueAt: number): Promise<UnsentDecisions> {
      const all = await watches.readAllWithEnded(guildId);
      const sources = [...new Set(all.map(({ source }) => source))];
      const counts = sources.map((source) => comments.countUnsent(guildId, source, dueAt));
      const count = (await Promise.all(counts)).reduce((sum, one) => sum + one, 0);
      if (count === 0) return { count };
      const looks = sources.map((source) =>
        comments.readDueAt(guildId, { source, dueAt, limit: lookedAt }),
      );
      const delays = (await Promise.all(looks)).flat().map(({ decision }) => decision?.delay);
      return { count, delay: delays.includes(undefined) ? undefined : delays[0] };
    },
    /** How many comments of a watch wait, and how many of its decisions have no outcome yet. */
    async counts(watchId: string) {
      const [{ count: waiting }, decided] = await Promise.all([
        comments.countWaiting(guildId, watchId),
        comments.countUnsettled(guildId, watchId),
      ]);
      return { waiting, decided };
    },
    async digest(watchId: string, id: string): Promise<DigestView | undefined> {
      const digest = await digests.read(guildId, watchId, id);
      if (digest === undefined) return undefined;
      const items = await comments.readAll(guildId, watchId, digest.itemIds);
      return { digest, items: await comments.asShown(guildId, items) };
    },
    /** What is known here about the author of a comment from other comments. */
    async history(item: HeldComment): Promise<AuthorHistory | undefined> {
      const { authorId } = item.comment;
      return authorId === undefined
        ? undefined
        : historyBeside(item, await authors.read(guildId, authorId));
    },
    /** Other comments of the same author, the newest first: of the queue, and of the log. */
    othersOfAuthor: async ({ comment: { id: exceptId, authorId } }: HeldComment) =>
      authorId === undefined ? [] : readAuthorComments(records, guildId, { authorId, exceptId }),
  };
}
