import { newHandle, type QueueItem } from "../../store/index.ts";
import type { Decided, DecideRequest, ItemRef } from "../types.ts";
import type { DecideParts } from "./parts.ts";

type PutOff = Pick<DecideRequest, "by"> & { readonly ref: ItemRef; readonly until: number };

/** @throws ServiceError `store_unavailable`. */
export async function putOff(
  { items }: DecideParts,
  guildId: string,
  { ref, by, until }: PutOff,
): Promise<Decided> {
  const changed = await items.change(guildId, ref, (item) => {
    if (item.status !== "open" && item.status !== "later") return item;
    const { failure: _, undone: __, ...rest } = item;
    return { ...rest, status: "later", later: { by, until } };
  });
  if (changed === undefined) return { ref, state: "absent" };
  const { item, isChanged } = changed;
  if (isChanged) return { ref, state: "pending", item };
  const isTaken = item.status === "pending" || item.status === "sending";
  return { ref, state: isTaken ? "taken" : "over", item };
}

/** Its card lies far above by then, so it gets a new one. @throws ServiceError `store_unavailable`. */
export async function comeBack(
  { items, clock }: DecideParts,
  guildId: string,
  ref: ItemRef,
): Promise<boolean> {
  const changed = await items.change(guildId, ref, (item) => {
    const { status, later, ...rest } = item;
    if (status !== "later" || (later?.until ?? 0) > clock.now()) return item;
    const { digestId: _, formerCard: __, ...shown } = rest;
    const former = item.digestId === undefined ? { formerCard: item.card } : {};
    return {
      ...shown,
      ...former,
      status: "open",
      card: { state: "due", handle: newHandle(), since: clock.now() },
    };
  });
  return changed?.isChanged ?? false;
}

/** Whoever asks has the card before them. @throws ServiceError `store_unavailable`. */
export async function bringBack(
  { items }: DecideParts,
  guildId: string,
  ref: ItemRef,
): Promise<{ readonly item: QueueItem; readonly isChanged: boolean } | undefined> {
  return items.change(guildId, ref, (item) => {
    if (item.status !== "later") return item;
    const { later: _, ...rest } = item;
    return { ...rest, status: "open" };
  });
}
