import type { GuildSettings, Settings } from "../../store/index.ts";

/** What guilds chose, near enough to be asked before every answer. */
export interface NearSettings {
  /** As last read, at most some seconds old; what was known before, or nothing, while the store does not answer. */
  of(guildId: string): Promise<GuildSettings>;
  /** Read anew next time. */
  forget(guildId: string): void;
}

const freshMs = 10_000;
/** The first answer is due within three seconds; settings must not take them. */
const patienceMs = 300;
const most = 10_000;

const none: GuildSettings = {};

export function createNearSettings(settings: Settings, now: () => number): NearSettings {
  const known = new Map<string, { readonly value: GuildSettings; readonly at: number }>();

  async function read(guildId: string): Promise<GuildSettings> {
    const found = await Promise.race([settings.read(guildId), patience()]);
    if (found === undefined || found.state === "failed") return known.get(guildId)?.value ?? none;
    const value = found.state === "found" ? found.value : none;
    known.delete(guildId);
    known.set(guildId, { value, at: now() });
    const [oldest] = known.keys();
    if (known.size > most && oldest !== undefined) known.delete(oldest);
    return value;
  }

  return {
    of: async (guildId) => {
      const hit = known.get(guildId);
      return hit !== undefined && now() - hit.at < freshMs ? hit.value : read(guildId);
    },
    forget: (guildId) => void known.delete(guildId),
  };
}

function patience(): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), patienceMs).unref();
  });
}
