import { countServerRows, readServerRows, type ServerRowTable } from "../../database/index.ts";
import type { Store } from "../../store/index.ts";

/** Every method throws ServiceError `store_unavailable`. */
export type ServerRecords = ReturnType<typeof createServerRecords>;

/** Everything that is stored about one server, or cached in this process. */
export function createServerRecords(
  guildId: string,
  store: Pick<Store, "database" | "exportServer" | "eraseServer">,
  caches: readonly { forget(guildId: string): void }[],
) {
  const forget = () => {
    for (const cache of caches) cache.forget(guildId);
  };
  return {
    /** The records that are few enough to be read at once, without their secrets. */
    held: () => store.exportServer(guildId),
    /** How many rows each other table has. */
    counts: () => countServerRows(store.database, guildId),
    /** Those rows, page after page. */
    rows: (table: ServerRowTable) => readServerRows(store.database, guildId, table),
    /** Removes all of it, also from this process's caches. @throws with outcome `part` where it stopped halfway */
    erase: async () => {
      // Caches are cleared even if the store stops halfway: they must not outlive the records.
      forget();
      await store.eraseServer(guildId).finally(forget);
    },
  };
}
