import type { BotError } from "../../../errors.ts";
import { type Rank, rankOf, rankWith } from "../../rank.ts";
import type { Near } from "../settings.ts";
import { storeUnavailable } from "../store-unavailable.ts";
import { basePermissions, type GuildMember } from "./base-permissions.ts";
import type { GuildRolesRead } from "./read-guild-roles.ts";

/** What a member may do, as far as it is known: never too much, and more once the roles were read. */
export interface MemberAccess {
  readonly rank: Rank;
  /** In the whole server, of `decidingPermissions`; nothing until the roles were read. */
  readonly permissions: bigint;
  /** How it stands with the server's roles. */
  readonly guildRoles: GuildRolesRead["state"] | "unasked";
  /** Why those permissions were left out. */
  readonly permissionsUnread: BotError | undefined;
  /** Why roles were left out of the rank, where they might have raised it. */
  readonly rolesUnread?: BotError | undefined;
}

export function judgeMember(
  member: GuildMember,
  { value, unread }: Near,
  read: GuildRolesRead | undefined,
): MemberAccess {
  const { roles, isTimedOut } = member;
  const permissions = read?.state === "found" ? basePermissions(member, read.roles) : 0n;
  const permissionsUnread = read?.state === "failed" ? read.error : undefined;
  // Old settings may hold a role that was taken away since, and a time-out takes away what roles give.
  const mapped = isTimedOut || unread !== undefined ? undefined : value.roles;
  const isMappingMissed = unread !== undefined && roles.length > 0;
  return {
    rank: rankWith(rankOf(permissions), roles, mapped),
    permissions,
    guildRoles: read?.state ?? "unasked",
    permissionsUnread,
    rolesUnread: isMappingMissed ? storeUnavailable(unread) : permissionsUnread,
  };
}
