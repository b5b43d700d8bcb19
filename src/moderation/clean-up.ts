import type { ModerationRows, QueueItem } from "../store/index.ts";
import { inGroups } from "./in-groups.ts";

type Rows = Pick<ModerationRows, "items" | "digests" | "progress">;

/** Removes what hangs on a watch. Its messages stay, and their buttons say that nobody knows them any more. @throws ServiceError `store_unavailable`. */
export async function emptyWatch(rows: Rows, guildId: string, watchId: string): Promise<void> {
  await removeItems(rows, guildId, await rows.items.list(guildId, watchId));
  for (const { id } of await rows.digests.list(guildId, watchId)) {
    await rows.digests.remove(guildId, `${watchId}:${id}`);
  }
  await rows.progress.remove(guildId, watchId);
}

/** @throws ServiceError `store_unavailable`. */
export async function removeItems(
  { items }: Pick<Rows, "items">,
  guildId: string,
  gone: readonly Pick<QueueItem, "id" | "watchId">[],
): Promise<void> {
  await inGroups(gone, undefined, ({ id, watchId }) => items.remove(guildId, `${watchId}:${id}`));
}
