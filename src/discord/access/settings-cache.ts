import { createCache } from "../../cache.ts";
import { withTimeout } from "../../clock.ts";
import type { ServerSettings, Settings } from "../../store/index.ts";

/** What servers chose, cached so that every answer can ask for it. */
export type SettingsCache = ReturnType<typeof createSettingsCache>;

export interface KnownSettings {
  /**
   * At most two seconds old, and never older than the last change that was answered before this request came. While the
   * store does not answer: what was known before, or nothing.
   */
  readonly value: ServerSettings;
  /** Set when they may be older than that: good enough for a time zone, not for anybody's rights. */
  readonly unread?: Error;
}

interface CachedSettings {
  readonly value: ServerSettings;
  readonly at: number;
  readonly version: string;
}

interface SettingsReading {
  readonly reading: Promise<KnownSettings>;
  readonly version: string;
}

/** docs/decisions.md#settings-are-at-most-two-seconds-old-and-stale-settings-grant-no-rank */
const freshMs = 2_000;
/** The first answer is due within three seconds; settings must not take them. */
const patienceMs = 300;
const maxServers = 10_000;

const none: ServerSettings = {};

export function createSettingsCache(
  settings: Settings,
  now: () => number,
  /** `Servers.version` */
  readVersion: (guildId: string) => Promise<string>,
) {
  const cache = createCache<CachedSettings>({ maxSize: maxServers });
  const underWay = new Map<string, SettingsReading>();

  const before = (guildId: string) => cache.get(guildId)?.value ?? none;

  function read(guildId: string, version: string): Promise<KnownSettings> {
    const at = now();
    // A read that `forget` dropped may have seen the settings before the change, so it is not remembered.
    const isCurrent = () => underWay.get(guildId)?.reading === reading;
    const reading = settings
      .read(guildId)
      .then((found): KnownSettings => {
        if (found.state === "failed") return { value: before(guildId), unread: found.error };
        const value = found.state === "found" ? found.value : none;
        if (isCurrent()) cache.set(guildId, { value, at, version });
        return { value };
      })
      .finally(() => {
        if (isCurrent()) underWay.delete(guildId);
      });
    underWay.set(guildId, { reading, version });
    return reading;
  }

  return {
    of: async (guildId: string): Promise<KnownSettings> => {
      const readOrKnow = async (): Promise<KnownSettings> => {
        const hit = cache.get(guildId);
        const isFresh = hit !== undefined && now() - hit.at < freshMs;
        const version = await readVersion(guildId).catch(() => hit?.version ?? "");
        if (isFresh && hit.version === version) return { value: hit.value };
        const current = underWay.get(guildId);
        return current?.version === version ? current.reading : read(guildId, version);
      };
      return withTimeout(readOrKnow, { timeoutMs: patienceMs }).catch(() => ({
        value: before(guildId),
        unread: new Error("settings came too late"),
      }));
    },
    /** Forgets them because they have just been changed. */
    forget: (guildId: string): void => {
      cache.delete(guildId);
      underWay.delete(guildId);
    },
  };
}
