import { LRUCache } from "lru-cache";
import type { GuildSettings, Settings } from "../../store/index.ts";

/** What guilds chose, near enough to be asked before every answer. */
export interface NearSettings {
  of(guildId: string): Promise<Near>;
  /** Read anew from now on: they have just been changed. */
  forget(guildId: string): void;
}

export interface Near {
  /** At most two seconds old; while the store does not answer what was known before, or nothing. */
  readonly value: GuildSettings;
  /** Why they may be older than that: good enough for a time zone, not for anybody's rights. */
  readonly unread?: Error;
}

interface Known {
  readonly value: GuildSettings;
  readonly at: number;
}

/** So soon a role that another process took away counts no more (docs/decisions.md). */
const freshMs = 2_000;
/** The first answer is due within three seconds; settings must not take them. */
const patienceMs = 300;
const most = 10_000;

const none: GuildSettings = {};

export function createNearSettings(settings: Settings, now: () => number): NearSettings {
  const known = new LRUCache<string, Known>({ max: most });
  const underWay = new Map<string, Promise<Near>>();

  const before = (guildId: string) => known.get(guildId)?.value ?? none;

  function read(guildId: string): Promise<Near> {
    const at = now();
    // A reading that `forget` took out may have seen what was there before the change: it is not remembered.
    const isCurrent = () => underWay.get(guildId) === reading;
    const reading = settings
      .read(guildId)
      .then((found): Near => {
        if (found.state === "failed") return { value: before(guildId), unread: found.error };
        const value = found.state === "found" ? found.value : none;
        if (isCurrent()) known.set(guildId, { value, at });
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
      const hit = known.get(guildId);
      if (hit !== undefined && now() - hit.at < freshMs) return { value: hit.value };
      const reading = underWay.get(guildId) ?? read(guildId);
      return Promise.race([reading, patience(() => before(guildId))]);
    },
    forget: (guildId) => {
      known.delete(guildId);
      underWay.delete(guildId);
    },
  };
}

function patience(before: () => GuildSettings): Promise<Near> {
  return new Promise((resolve) => {
    const late = () => resolve({ value: before(), unread: new Error("settings came too late") });
    setTimeout(late, patienceMs).unref();
  });
}
