import { createCache } from "../../cache.ts";
import { withTimeout } from "../../clock.ts";
import type { GuildSettings, Settings } from "../../store/index.ts";

/** What guilds chose, cached so that every answer can ask for it. */
export interface SettingsCache {
  of(guildId: string): Promise<KnownSettings>;
  /** Forgets them because they have just been changed. */
  forget(guildId: string): void;
}

export interface KnownSettings {
  /** At most two seconds old. While the store does not answer: what was known before, or nothing. */
  readonly value: GuildSettings;
  /** Set when they may be older than that: good enough for a time zone, not for anybody's rights. */
  readonly unread?: Error;
}

interface CachedSettings {
  readonly value: GuildSettings;
  readonly at: number;
}

/** A role that another process took away still counts for this long (docs/decisions.md). */
const freshMs = 2_000;
/** The first answer is due within three seconds; settings must not take them. */
const patienceMs = 300;
const maxGuilds = 10_000;

const none: GuildSettings = {};

export function createSettingsCache(settings: Settings, now: () => number): SettingsCache {
  const cache = createCache<CachedSettings>({ maxSize: maxGuilds });
  const underWay = new Map<string, Promise<KnownSettings>>();

  const before = (guildId: string) => cache.get(guildId)?.value ?? none;

  function read(guildId: string): Promise<KnownSettings> {
    const at = now();
    // A read that `forget` dropped may have seen the settings before the change, so it is not remembered.
    const isCurrent = () => underWay.get(guildId) === reading;
    const reading = settings
      .read(guildId)
      .then((found): KnownSettings => {
        if (found.state === "failed") return { value: before(guildId), unread: found.error };
        const value = found.state === "found" ? found.value : none;
        if (isCurrent()) cache.set(guildId, { value, at });
        return { value };
      })
      .finally(() => {
        if (isCurrent()) underWay.delete(guildId);
      });
    underWay.set(guildId, reading);
    return reading;
  }

  return {
    of: async (guildId) => {
      const hit = cache.get(guildId);
      if (hit !== undefined && now() - hit.at < freshMs) return { value: hit.value };
      const reading = underWay.get(guildId) ?? read(guildId);
      return withTimeout(() => reading, { timeoutMs: patienceMs }).catch(() => ({
        value: before(guildId),
        unread: new Error("settings came too late"),
      }));
    },
    forget: (guildId) => {
      cache.delete(guildId);
      underWay.delete(guildId);
    },
  };
}
