import { randomBytes } from "node:crypto";
import { newHandle } from "../../store/index.ts";
import type { PartOptions, QueueAt } from "../parts.ts";
import type { Digest, HeldComment } from "../records/index.ts";
import { whileWatched } from "../watch-jobs.ts";

/** As many as one select of the chat platform holds. */
export const digestSize = 25;

/** One that is to be sent. */
export function newDigest(
  watchId: string,
  itemIds: readonly string[],
  now: number,
): Omit<Digest, "acts" | "channelId"> {
  return {
    ...{ id: randomBytes(16).toString("hex"), watchId, itemIds, revision: 1 },
    card: { state: "due", handle: newHandle(), since: now },
    addedAt: now,
  };
}

/** Puts comments together, in their order; they have no cards of their own then. @throws ServiceError `store_unavailable`. */
export async function putTogether(
  deps: PartOptions,
  { guildId, watch }: QueueAt,
  all: readonly HeldComment[],
): Promise<void> {
  const { comments, digests } = deps.records;
  const now = deps.database.now();
  for (let from = 0; from < all.length; from += digestSize) {
    const itemIds = all.slice(from, from + digestSize).map(({ id }) => id);
    // Those of one moment are sent in this order.
    const digest = newDigest(watch.id, itemIds, now + from / digestSize);
    await whileWatched(deps, guildId, watch, async () => {
      await digests.change(guildId, digest, () => digest);
      for (const itemId of itemIds) {
        await comments.note(guildId, { watchId: watch.id, itemId }, (held) =>
          held.card.state === "due" ? { ...held, digestId: digest.id } : held,
        );
      }
    });
  }
}
