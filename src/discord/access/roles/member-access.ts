import { PermissionFlagsBits } from "discord-api-types/v10";
import type { BotError } from "../../../errors.ts";
import { storeUnavailable } from "../../../store/index.ts";
import { type Rank, rankFor, rankPermissions, rankWith } from "../../rank.ts";
import type { KnownSettings } from "../settings-cache.ts";

/** Permissions to make emoji and stickers, which is not managing them: docs/services/discord.md#permissions */
const makingPermissions =
  PermissionFlagsBits.CreateGuildExpressions | PermissionFlagsBits.Administrator;

/** Whether these permissions allow making emoji and stickers. */
export function mayMakeExpressions(permissions: bigint): boolean {
  return (permissions & makingPermissions) !== 0n;
}

/** All permissions that decide something here. */
export const decidingPermissions = rankPermissions | makingPermissions;

/** Who owns a server, and what its roles allow in the whole of it. */
export interface ServerRoles {
  readonly ownerId: string;
  /** By role id; the id of @everyone is the server's. Roles that decide nothing here are left out. */
  readonly permissions: ReadonlyMap<string, bigint>;
}

/** The result of reading them. */
export type ServerRolesRead =
  | { readonly state: "found"; readonly roles: ServerRoles }
  | {
      readonly state: "failed";
      readonly error: BotError;
      /** Asking again before that would not help. */
      readonly waitMs: number;
    };

/** A member as each interaction describes them. */
export interface ServerMember {
  readonly guildId: string;
  readonly userId: string;
  readonly roles: readonly string[];
  /** Whether they are timed out at the moment. */
  readonly isTimedOut: boolean;
}

/**
 * Those of `decidingPermissions` that the member has in the whole server; channel overwrites don't count
 * (https://docs.discord.com/developers/topics/permissions#permission-hierarchy). A time-out takes it all from everyone
 * but the owner and administrators.
 */
function basePermissions(member: ServerMember, server: ServerRoles): bigint {
  const { guildId, userId, roles, isTimedOut } = member;
  if (userId === server.ownerId) return decidingPermissions;
  const held = [guildId, ...roles].reduce(
    (sum, role) => sum | (server.permissions.get(role) ?? 0n),
    0n,
  );
  if ((held & PermissionFlagsBits.Administrator) !== 0n) return decidingPermissions;
  return isTimedOut ? 0n : held;
}

/** What a member may do, as known so far: never too much, and more once the roles are read. */
export interface MemberAccess {
  readonly rank: Rank;
  /** Those of `decidingPermissions` that hold in the whole server; none until the roles are read. */
  readonly permissions: bigint;
  /** Whether the server's roles were read. */
  readonly serverRoles: ServerRolesRead["state"] | "unasked";
  /** Why those permissions were left out. */
  readonly permissionsUnread: BotError | undefined;
  /** Why roles were left out of the rank, where they might have raised it. */
  readonly rolesUnread?: BotError | undefined;
}

export function memberAccessFor(
  member: ServerMember,
  { value, unread }: KnownSettings,
  read: ServerRolesRead | undefined,
): MemberAccess {
  const { roles, isTimedOut } = member;
  const permissions = read?.state === "found" ? basePermissions(member, read.roles) : 0n;
  const permissionsUnread = read?.state === "failed" ? read.error : undefined;
  // Outdated settings may map a role that was removed since, and a time-out suspends what roles give.
  const mapped = isTimedOut || unread !== undefined ? undefined : value.roles;
  const given = rankFor(permissions);
  const isMappingMissed = unread !== undefined && roles.length > 0;
  return {
    rank: mapped === undefined ? given : rankWith(given, roles, mapped),
    permissions,
    serverRoles: read?.state ?? "unasked",
    permissionsUnread,
    rolesUnread: isMappingMissed ? storeUnavailable(unread) : permissionsUnread,
  };
}
