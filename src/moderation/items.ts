import { found, type ModerationRows, type QueueItem, rowIdOf } from "../store/index.ts";
import type { Items } from "./parts.ts";
import type { ItemRef } from "./types.ts";

/** How an item is called after its comment: the service's ids have any shape. */
export function itemIdOf(commentId: string): string {
  return rowIdOf(commentId);
}

/** How an author's record is called. */
export function authorKeyOf(authorId: string): string {
  return rowIdOf(authorId);
}

/** Under which id an item is kept. */
export function keyOf({ watchId, itemId }: ItemRef): string {
  return `${watchId}:${itemId}`;
}

export function refOf({ watchId, id }: QueueItem): ItemRef {
  return { watchId, itemId: id };
}

export function createItems(rows: Pick<ModerationRows, "items">): Items {
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
