import { itemIdOf } from "./ids.ts";
import type { Decider } from "./parts.ts";
import type { CommentStatus, ModerationRecords } from "./records/index.ts";
import type { Queue } from "./types.ts";

export interface QueueDeps {
  readonly records: ModerationRecords;
  readonly decider: Decider;
}

const unsettled: readonly CommentStatus[] = ["open", "later", "pending", "sending"];

/** The queue of one guild: reading it is done here, deciding elsewhere. */
export function createQueue({ records, decider }: QueueDeps, guildId: string): Queue {
  const { comments, digests, authors } = records;
  return {
    item: (ref) => comments.read(guildId, ref),
    items: (watchId, ids) => comments.readAll(guildId, watchId, ids),
    itemsOf: async (source, commentId) => {
      const everywhere = await comments.everywhere(guildId, itemIdOf(commentId));
      return everywhere.filter((one) => one.source === source);
    },
    count: async (watchId) =>
      (await comments.count(guildId, { watchId, statuses: unsettled })).count,
    async digest(watchId, id) {
      const digest = await digests.read(guildId, watchId, id);
      if (digest === undefined) return undefined;
      return { digest, items: await comments.readAll(guildId, watchId, digest.itemIds) };
    },
    history: (authorId) => authors.read(guildId, authorId),
    decide: (request) => decider.decide(guildId, request),
    undo: (...given) => decider.undo(guildId, ...given),
    later: (...given) => decider.later(guildId, ...given),
    now: (...given) => decider.now(guildId, ...given),
    replied: (...given) => decider.replied(guildId, ...given),
    admit: (...given) => decider.admit(guildId, ...given),
    settled: (...given) => decider.settled(guildId, ...given),
  };
}
