import { createCache } from "../../../cache.ts";
import { withTimeout } from "../../../clock.ts";
import type { GuildRolesRead } from "./judge-member.ts";
import { rolesUnread } from "./read-guild-roles.ts";

/** What the roles of servers allow, cached so that every answer can ask for it. */
export interface GuildRolesCache {
  /** What is remembered, also of a failure; undefined where it has to be read. */
  known(guildId: string): GuildRolesRead | undefined;
  /** The same, or read now, within that time. Never throws. */
  read(guildId: string, timeoutMs: number): Promise<GuildRolesRead>;
}

export interface GuildRolesCacheDeps {
  readonly read: (guildId: string) => Promise<GuildRolesRead>;
  readonly now: () => number;
}

interface Remembered {
  readonly read: GuildRolesRead;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** A role that lost a permission still counts for this long (docs/decisions.md). */
const freshMs = 60_000;
const maxGuilds = 10_000;

export function createGuildRolesCache({ read, now }: GuildRolesCacheDeps): GuildRolesCache {
  const remembered = createCache<Remembered>({ maxSize: maxGuilds });
  const underWay = new Map<string, Promise<GuildRolesRead>>();

  async function readNow(guildId: string): Promise<GuildRolesRead> {
    const askedAt = now();
    try {
      const answer = await read(guildId);
      const expiresAt = answer.state === "found" ? askedAt + freshMs : now() + answer.waitMs;
      remembered.set(guildId, { read: answer, expiresAt });
      return answer;
    } finally {
      underWay.delete(guildId);
    }
  }

  function known(guildId: string): GuildRolesRead | undefined {
    const hit = remembered.get(guildId);
    return hit !== undefined && now() < hit.expiresAt ? hit.read : undefined;
  }

  return {
    known,
    async read(guildId, timeoutMs) {
      const hit = known(guildId);
      if (hit !== undefined) return hit;
      const reading = underWay.get(guildId) ?? readNow(guildId);
      underWay.set(guildId, reading);
      // What comes too late is remembered for whoever asks next.
      return withTimeout(() => reading, { ms: Math.max(0, timeoutMs) }).catch(tooLate);
    },
  };
}

function tooLate(): GuildRolesRead {
  const error = rolesUnread(new Error("they came too late"));
  return { state: "failed", error, waitMs: 0 };
}
