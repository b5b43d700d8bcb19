import { createCache } from "../../../cache.ts";
import { withTimeout } from "../../../clock.ts";
import type { GuildRolesRead } from "./member-access.ts";
import { rolesUnread } from "./read-guild-roles.ts";

/** What the roles of servers allow, cached so that every answer can ask for it. */
export interface GuildRolesCache {
  /** The remembered answer, even a failure; undefined where the roles have to be read. */
  known(guildId: string): GuildRolesRead | undefined;
  /** The remembered answer, or one read now within that time. Never throws. */
  read(guildId: string, timeoutMs: number): Promise<GuildRolesRead>;
}

interface GuildRolesCacheDeps {
  readonly read: (guildId: string) => Promise<GuildRolesRead>;
  readonly now: () => number;
}

interface Remembered {
  readonly read: GuildRolesRead;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** A role that lost a permission still counts for this long. */
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
      // A late answer is still remembered for the next call.
      return withTimeout(() => reading, { timeoutMs: Math.max(0, timeoutMs) }).catch(tooLate);
    },
  };
}

function tooLate(): GuildRolesRead {
  const error = rolesUnread(new Error("they came too late"));
  return { state: "failed", error, waitMs: 0 };
}
