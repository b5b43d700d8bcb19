import type { Decider } from "./decide/index.ts";
import {
  type CommentStatus,
  type ItemRef,
  itemIdOf,
  type ModerationRecords,
} from "./records/index.ts";
import type { DigestView } from "./types.ts";

const unsettled: readonly CommentStatus[] = ["open", "later", "pending", "sending"];

export type Queue = ReturnType<typeof createQueue>;

/** The queue of one guild: reading it is done here, deciding elsewhere. */
export function createQueue(
  { records, decider }: { readonly records: ModerationRecords; readonly decider: Decider },
  guildId: string,
) {
  const { comments, digests, authors } = records;
  return {
    ...decider.of(guildId),
    item: (ref: ItemRef) => comments.read(guildId, ref),
    /** Those of a watch, in the order of their ids, without those that are unknown. */
    items: (watchId: string, ids: readonly string[]) => comments.readAll(guildId, watchId, ids),
    /** A comment of a linked channel, in every watch that holds it. */
    async itemsOf(source: string, commentId: string) {
      const everywhere = await comments.everywhere(guildId, itemIdOf(commentId));
      return everywhere.filter((one) => one.source === source);
    },
    /** How many of a watch are not over yet. */
    count: async (watchId: string) =>
      (await comments.count(guildId, { watchId, statuses: unsettled })).count,
    async digest(watchId: string, id: string): Promise<DigestView | undefined> {
      const digest = await digests.read(guildId, watchId, id);
      return digest && { digest, items: await comments.readAll(guildId, watchId, digest.itemIds) };
    },
    /** What is known of an author here. */
    history: (authorId: string) => authors.read(guildId, authorId),
  };
}
