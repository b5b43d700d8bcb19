import type { HeldComment, NamedPerson } from "../records/index.ts";

/** A claim, and whose claim it replaces; nobody's if absent. */
export interface ClaimRequest {
  readonly by: NamedPerson;
  readonly over?: string | undefined;
}

/** Marks who deals with a comment that waits. Nothing changes if somebody else has claimed it in the meantime. */
export function assign(item: HeldComment, { by, over }: ClaimRequest, at: number): HeldComment {
  const isWaiting = item.status === "open" || item.status === "later";
  if (!isWaiting || item.assigned?.by.userId !== over || over === by.userId) return item;
  return { ...item, assigned: { by, at } };
}

/** Ends the claim of that person. */
export function unassign(item: HeldComment, userId: string): HeldComment {
  if (item.assigned?.by.userId !== userId) return item;
  const { assigned: _, ...rest } = item;
  return rest;
}
