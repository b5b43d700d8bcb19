import { createHash } from "node:crypto";
import type { ModerationRows, QueueItem, Read } from "../store/index.ts";
import type { Items } from "./parts.ts";
import type { ItemRef } from "./types.ts";

/** How an item is called after its comment: the service's ids have any shape. */
export function itemIdOf(commentId: string): string {
  return hashOf(commentId);
}

/** How an author's record is called. */
export function authorKeyOf(authorId: string): string {
  return hashOf(authorId);
}

function hashOf(id: string): string {
  return createHash("sha256").update(id).digest("hex").slice(0, 32);
}

export function createItems(rows: Pick<ModerationRows, "items">): Items {
  const keyOf = ({ watchId, itemId }: ItemRef) => `${watchId}:${itemId}`;

  async function replaced(
    guildId: string,
    ref: ItemRef,
    { make, isShown }: { readonly make: (item: QueueItem) => QueueItem; readonly isShown: boolean },
  ) {
    let before: QueueItem | undefined;
    const after = await rows.items.update(guildId, keyOf(ref), (stored) => {
      before = stored;
      if (stored === undefined) return undefined;
      const made = make(stored);
      if (made === stored || !isShown) return made;
      return { ...made, revision: stored.revision + 1 };
    });
    return after === undefined ? undefined : { item: after, isChanged: after !== before };
  }

  return {
    read: async (guildId, ref) => found(await rows.items.read(guildId, keyOf(ref))),
    all: (guildId, watchId) => rows.items.list(guildId, watchId),
    change: (guildId, ref, make) => replaced(guildId, ref, { make, isShown: true }),
    note: async (guildId, ref, make) =>
      (await replaced(guildId, ref, { make, isShown: false }))?.item,
  };
}

/** @throws the read's error, because a failure must never look like an absence. */
export function found<T>(read: Read<T>): T | undefined {
  if (read.state === "failed") throw read.error;
  return read.state === "found" ? read.value : undefined;
}
