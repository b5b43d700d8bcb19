import { DiscordAPIError, RateLimitError } from "@discordjs/rest";
import type { REST } from "discord.js";
import { Routes } from "discord-api-types/v10";
import { createCache } from "../../../cache.ts";
import { withTimeout } from "../../../clock.ts";
import { AccessError, ServiceError } from "../../../errors.ts";
import { decidingPermissions, type ServerRoles, type ServerRolesRead } from "./member-access.ts";

/** What the roles of servers allow, cached so that every answer can ask for it. */
export type ServerRolesCache = ReturnType<typeof createServerRolesCache>;

/** A role that lost a permission still counts for this long. */
const freshMs = 60_000;
const maxServers = 10_000;

export function createServerRolesCache({
  read,
  now,
}: {
  readonly read: (guildId: string) => Promise<ServerRolesRead>;
  readonly now: () => number;
}) {
  const remembered = createCache<{ readonly read: ServerRolesRead; readonly expiresAt: number }>({
    maxSize: maxServers,
  });
  const underWay = new Map<string, Promise<ServerRolesRead>>();

  async function readNow(guildId: string): Promise<ServerRolesRead> {
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

  /** The remembered answer, even a failure; undefined where the roles have to be read. */
  function known(guildId: string): ServerRolesRead | undefined {
    const hit = remembered.get(guildId);
    return hit !== undefined && now() < hit.expiresAt ? hit.read : undefined;
  }

  return {
    known,
    /** The remembered answer, or one read now within that time. Never throws. */
    async read(guildId: string, timeoutMs: number): Promise<ServerRolesRead> {
      const hit = known(guildId);
      if (hit !== undefined) return hit;
      const reading = underWay.get(guildId) ?? readNow(guildId);
      underWay.set(guildId, reading);
      // A late answer is still remembered for the next call.
      return withTimeout(() => reading, { timeoutMs: Math.max(0, timeoutMs) }).catch(() => {
        const error = rolesUnread(new Error("they came too late"));
        return { state: "failed", error, waitMs: 0 };
      });
    },
  };
}

const tries = 4;
const longestTryMs = 1_000;
const shortestPauseMs = 20;
const longestPauseMs = 250;

/** How long a passing failure is remembered, so that not everyone asks again at once. */
const failedWaitMs = 3_000;
/** Every refusal counts towards the ban of the address (docs/services/discord.md#invalid-requests): one a minute has to do. */
const refusedWaitMs = 60_000;

/** Repeated for about four seconds at most, because somebody waits for it. Never throws. */
export async function readServerRoles(
  guildId: string,
  { rest, random }: { readonly rest: Pick<REST, "get">; readonly random: () => number },
): Promise<ServerRolesRead> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const server = await withTimeout((signal) => rest.get(Routes.guild(guildId), { signal }), {
        timeoutMs: longestTryMs,
      });
      return { state: "found", roles: parseRoles(server) };
    } catch (error) {
      if (attempt >= tries || isFinal(error)) return failedRead(error);
      const pauseMs = shortestPauseMs + random() * (longestPauseMs - shortestPauseMs);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

/** @throws TypeError for anything but a server, so that it does not pass for one whose roles allow nothing */
function parseRoles(server: unknown): ServerRoles {
  const { owner_id, roles } = Object(server) as {
    readonly owner_id?: string;
    readonly roles?: readonly { readonly id: string; readonly permissions: string }[];
  };
  if (owner_id === undefined || roles === undefined) throw new TypeError("no server came");
  const deciding = roles
    .map(({ id, permissions }) => [id, BigInt(permissions) & decidingPermissions] as const)
    .filter(([, held]) => held !== 0n);
  return { ownerId: owner_id, permissions: new Map(deciding) };
}

function isFinal(error: unknown): boolean {
  return (
    error instanceof RateLimitError || (error instanceof DiscordAPIError && error.status < 500)
  );
}

function failedRead(error: unknown): ServerRolesRead {
  if (error instanceof RateLimitError) {
    const waitMs = Math.min(refusedWaitMs, Math.max(failedWaitMs, error.retryAfter));
    return { state: "failed", error: rolesUnread(error), waitMs };
  }
  if (!isFinal(error)) return { state: "failed", error: rolesUnread(error), waitMs: failedWaitMs };
  const { status } = error as DiscordAPIError;
  // Where only the commands were added, the bot is not in the server, and Discord does not show it the roles.
  const isAbsent = status === 403 || status === 404;
  const refused = isAbsent
    ? new AccessError("the bot is not in the server", { code: "bot_not_in_server", cause: error })
    : rolesUnread(error);
  return { state: "failed", error: refused, waitMs: refusedWaitMs };
}

function rolesUnread(cause: unknown): ServiceError {
  return new ServiceError("the server's roles can't be read", {
    code: "server_roles_unread",
    cause,
  });
}
