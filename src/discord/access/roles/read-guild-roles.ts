import { DiscordAPIError, RateLimitError, type REST, Routes } from "discord.js";
import { withTimeout } from "../../../clock.ts";
import { AccessError, ServiceError } from "../../../errors.ts";
import { decidingPermissions, type GuildRoles, type GuildRolesRead } from "./member-access.ts";

interface GuildRolesTools {
  /** Made by `createCallbackRest`, with the bot's token. */
  readonly rest: Pick<REST, "get">;
  readonly random: () => number;
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
export async function readGuildRoles(
  guildId: string,
  { rest, random }: GuildRolesTools,
): Promise<GuildRolesRead> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const work = (signal: AbortSignal) => rest.get(Routes.guild(guildId), { signal });
      return {
        state: "found",
        roles: rolesOf(await withTimeout(work, { timeoutMs: longestTryMs })),
      };
    } catch (error) {
      if (attempt >= tries || isFinal(error)) return failureOf(error);
      const pauseMs = shortestPauseMs + random() * (longestPauseMs - shortestPauseMs);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

/** @throws TypeError for anything but a server, so that it does not pass for one whose roles allow nothing */
function rolesOf(guild: unknown): GuildRoles {
  const { owner_id, roles } = Object(guild) as {
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

function failureOf(error: unknown): GuildRolesRead {
  if (error instanceof RateLimitError) {
    const waitMs = Math.min(refusedWaitMs, Math.max(failedWaitMs, error.retryAfter));
    return { state: "failed", error: rolesUnread(error), waitMs };
  }
  if (!isFinal(error)) {
    return { state: "failed", error: rolesUnread(error), waitMs: failedWaitMs };
  }
  const { status } = error as DiscordAPIError;
  const isAbsent = status === 403 || status === 404;
  const refusal = isAbsent ? botNotInServer(error) : rolesUnread(error);
  return { state: "failed", error: refusal, waitMs: refusedWaitMs };
}

export function rolesUnread(cause: unknown): ServiceError {
  return new ServiceError("the server's roles can't be read", {
    code: "server_roles_unread",
    cause,
  });
}

/** Where only the commands were added, the bot is not in the server, and Discord does not show it the roles. */
function botNotInServer(cause: unknown): AccessError {
  return new AccessError("the bot is not in the server", { code: "bot_not_in_server", cause });
}
