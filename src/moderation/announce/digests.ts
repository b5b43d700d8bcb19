import { randomBytes } from "node:crypto";
import type { Clock } from "../../clock.ts";
import { type Digest, type ModerationRows, newHandle, type QueueItem } from "../../store/index.ts";
import { inGroups } from "../in-groups.ts";
import type { Items } from "../parts.ts";

/** As many as one select of the chat platform holds. */
export const digestSize = 25;

export interface DigestParts {
  readonly rows: Pick<ModerationRows, "digests">;
  readonly items: Items;
  readonly clock: Pick<Clock, "now">;
}

/** Puts items together, in their order. Each digest is written before its items point to it. */
export async function putTogether(
  parts: DigestParts,
  guildId: string,
  items: readonly QueueItem[],
): Promise<readonly Digest[]> {
  const digests: Digest[] = [];
  for (let from = 0; from < items.length; from += digestSize) {
    const some = items.slice(from, from + digestSize);
    const digest: Digest = {
      id: randomBytes(16).toString("hex"),
      watchId: some[0]?.watchId ?? "",
      itemIds: some.map(({ id }) => id),
      revision: 1,
      card: { state: "due", handle: newHandle(), since: parts.clock.now() },
      addedAt: parts.clock.now(),
    };
    await parts.rows.digests.update(guildId, `${digest.watchId}:${digest.id}`, () => digest);
    await pointTo(parts, guildId, digest);
    digests.push(digest);
  }
  return digests;
}

/** Its items have no cards of their own. What was halfway when a process ended is finished by the same. */
export async function pointTo(
  { items }: Pick<DigestParts, "items">,
  guildId: string,
  { id, watchId, itemIds }: Digest,
): Promise<void> {
  await inGroups(itemIds, undefined, (itemId) =>
    items.note(guildId, { watchId, itemId }, (item) =>
      item.digestId === id || item.card.state !== "due" ? item : { ...item, digestId: id },
    ),
  );
}

/** Changes with every change of what it shows: counts of changes only grow. */
export function shownRevision(digest: Digest, items: readonly QueueItem[]): number {
  return items.reduce((sum, { revision }) => sum + revision, digest.revision);
}
