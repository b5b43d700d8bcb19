import type { Store } from "../../store/index.ts";
import type { GuildRecords } from "../declare/ctx.ts";
import type { Kept } from "./kept.ts";
import type { Memory } from "./memory.ts";
import type { NearSettings } from "./settings.ts";

interface Parts {
  readonly guildId: string;
  readonly store: Pick<Store, "guilds">;
  readonly memory: Pick<Memory, "forget">;
  readonly kept: Pick<Kept, "forget">;
  readonly near: Pick<NearSettings, "forget">;
}

/** All that is stored about one guild, and what this process remembers of it. */
export function createGuildRecords({ guildId, store, memory, kept, near }: Parts): GuildRecords {
  return {
    export: () => store.guilds.export(guildId),
    erase: async () => {
      // What is remembered goes also when the store stops halfway: it must not outlive what it came from.
      for (const each of [memory, kept, near]) each.forget(guildId);
      try {
        await store.guilds.erase(guildId);
      } finally {
        for (const each of [memory, kept, near]) each.forget(guildId);
      }
    },
  };
}
