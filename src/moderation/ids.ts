import { rowIdOf } from "../store/index.ts";
import type { HeldComment, ItemRef } from "./records/index.ts";

/** How a held comment is called after its comment: the service's ids have any shape. */
export function itemIdOf(commentId: string): string {
  return rowIdOf(commentId);
}

export function refOf({ watchId, id }: Pick<HeldComment, "watchId" | "id">): ItemRef {
  return { watchId, itemId: id };
}
