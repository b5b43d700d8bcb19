import { countServerRows, readServerRows } from "../../database/index.ts";
import type { Store } from "../../store/index.ts";
import type { GuildRecords } from "../declare/ctx.ts";
import type { Kept } from "./kept.ts";
import type { Memory } from "./memory.ts";
import type { NearSettings } from "./settings.ts";

interface Deps {
  readonly guildId: string;
  readonly store: Pick<Store, "database" | "exportServer" | "eraseServer">;
  readonly memory: Pick<Memory, "forget">;
  readonly kept: Pick<Kept, "forget">;
  readonly near: Pick<NearSettings, "forget">;
}

/** All that is stored about one guild, and what this process remembers of it. */
export function createGuildRecords({ guildId, store, ...caches }: Deps): GuildRecords {
  const forget = () => {
    for (const each of [caches.memory, caches.kept, caches.near]) each.forget(guildId);
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
