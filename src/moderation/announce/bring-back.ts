import { comeBack } from "../decide/index.ts";
import { refOf } from "../ids.ts";
import type { DigestDeps } from "./digests.ts";

const pageSize = 100;

/** Snoozed comments whose time has come wait for people again. @throws ServiceError `store_unavailable`. */
export async function bringBackDue(
  { database, records }: DigestDeps,
  guildId: string,
  watchId: string,
): Promise<void> {
  for (;;) {
    const at = database.now();
    const page = await records.comments.snoozedUntil(guildId, watchId, { at, limit: pageSize });
    for (const held of page) {
      await records.comments.change(guildId, refOf(held), (stored) => comeBack(stored, at));
    }
    if (page.length < pageSize) return;
  }
}
