import {
  type Actor,
  type DecisionOrigin,
  type HeldComment,
  type ItemRef,
  isUnsettled,
  isWaiting,
  type NamedPerson,
  toItemRef,
} from "../records/index.ts";
import type { ModerationRoom } from "../room.ts";
import type { DecisionResult } from "../types.ts";

/**
 * Closes a comment that somebody has dealt with on YouTube itself. It is closed in all watches of its channel. Part of a
 * transaction. @throws ServiceError `store_unavailable`.
 */
export async function markHandled(
  { records: { comments }, database }: ModerationRoom,
  guildId: string,
  { ref, by }: { readonly ref: ItemRef; readonly by: NamedPerson },
): Promise<DecisionResult> {
  const everywhere = await comments.lockInAllWatches(guildId, ref.itemId);
  const own = everywhere.find(({ watchId }) => watchId === ref.watchId);
  if (own === undefined) return { ref, state: "absent" };
  const same = everywhere.filter(({ source }) => source === own.source);
  const taken = same.find(isUnsettled);
  if (taken !== undefined) return { ref, state: "taken", item: taken };
  if (!isWaiting(own)) return { ref, state: "over", item: own };
  const at = database.now();
  const make = (item: HeldComment): HeldComment => {
    if (!isWaiting(item)) return item;
    const { later: _, failure: __, undone: ___, assigned: ____, ...rest } = item;
    return { ...rest, status: "elsewhere", handled: { by, at }, endedAt: at };
  };
  const changed = await comments.changeAll(
    guildId,
    same.map((item) => ({ ref: toItemRef(item), make })),
  );
  const item = changed.find(({ watchId }) => watchId === ref.watchId) ?? own;
  return { ref, state: "pending", item };
}

/** Has such a comment wait again, in all watches of its channel; undefined if it is none. Part of a transaction. */
export async function undoHandled(
  { records: { comments }, database }: ModerationRoom,
  guildId: string,
  { ref, by }: { readonly ref: ItemRef; readonly by: Actor },
): Promise<{ readonly item: HeldComment; readonly from: DecisionOrigin } | undefined> {
  const everywhere = await comments.lockInAllWatches(guildId, ref.itemId);
  const own = everywhere.find(({ watchId }) => watchId === ref.watchId);
  const isHandled = ({ status, handled }: HeldComment) =>
    status === "elsewhere" && handled !== undefined;
  if (own === undefined || !isHandled(own)) return undefined;
  const at = database.now();
  const make = (item: HeldComment): HeldComment => {
    if (!isHandled(item)) return item;
    const { handled: _, endedAt: __, ...rest } = item;
    return { ...rest, status: "open", undone: { by, at } };
  };
  const same = everywhere.filter(({ source }) => source === own.source);
  const changed = await comments.changeAll(
    guildId,
    same.map((item) => ({ ref: toItemRef(item), make })),
  );
  const item = changed.find(({ watchId }) => watchId === ref.watchId);
  const from = own.digestId === undefined ? "card" : "digest";
  return item && { item, from };
}
