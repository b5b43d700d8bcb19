import { countServerRows, readServerRows } from "../../database/index.ts";
import type { Store } from "../../store/index.ts";
import type { GuildRecords } from "../declare/ctx.ts";
import type { AnswerCache } from "./answer-cache.ts";
import type { FileCache } from "./file-cache.ts";
import type { SettingsCache } from "./settings-cache.ts";

interface GuildRecordsDeps {
  readonly store: Pick<Store, "database" | "exportServer" | "eraseServer">;
  /** What this process remembers of guilds. */
  readonly caches: readonly Pick<AnswerCache | FileCache | SettingsCache, "forget">[];
}

/** All that is stored about one guild, and what this process remembers of it. */
export function createGuildRecords(
  guildId: string,
  { store, caches }: GuildRecordsDeps,
): GuildRecords {
  const forget = () => {
    for (const cache of caches) cache.forget(guildId);
  };
  return {
    held: () => store.exportServer(guildId),
    counts: () => countServerRows(store.database, guildId),
    rows: (table) => readServerRows(store.database, guildId, table),
    erase: async () => {
      // What is remembered goes also when the store stops halfway: it must not outlive what it came from.
      forget();
      await store.eraseServer(guildId).finally(forget);
    },
  };
}
