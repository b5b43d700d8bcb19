import { found, type ModerationRows } from "../store/index.ts";
import type { AuthorBook } from "./audit/index.ts";
import type { Decider, Items } from "./parts.ts";
import type { Queue } from "./types.ts";

export interface QueueParts {
  readonly rows: Pick<ModerationRows, "digests">;
  readonly items: Items;
  readonly authors: AuthorBook;
  readonly decider: Decider;
}

/** The queue of one guild: reading it is done here, deciding elsewhere. */
export function createQueue(parts: QueueParts, guildId: string): Queue {
  const { rows, items, authors, decider } = parts;
  return {
    item: (ref) => items.read(guildId, ref),
    items: async (watchId) =>
      (await items.all(guildId, watchId)).filter(({ endedAt }) => endedAt === undefined),
    async digest(watchId, id) {
      const digest = found(await rows.digests.read(guildId, `${watchId}:${id}`));
      if (digest === undefined) return undefined;
      const read = await Promise.all(
        digest.itemIds.map((itemId) => items.read(guildId, { watchId, itemId })),
      );
      return { digest, items: read.filter((item) => item !== undefined) };
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
