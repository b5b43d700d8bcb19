import { PermissionFlagsBits } from "discord.js";
import type { BotError } from "../../../errors.ts";
import { type Rank, rankOf, rankPermissions, rankWith } from "../../rank.ts";
import type { KnownSettings } from "../settings-cache.ts";
import { storeUnavailable } from "../store-unavailable.ts";

/** What it takes to make emoji and stickers; managing them has been another permission since 23 February 2026 (facts/discord.md: Permission splits). */
const makingPermissions =
  PermissionFlagsBits.CreateGuildExpressions | PermissionFlagsBits.Administrator;

/** Whether whoever has these permissions may make emoji and stickers. */
export function mayMakeExpressions(permissions: bigint): boolean {
  return (permissions & makingPermissions) !== 0n;
}

/** Every permission that something here is decided by. */
export const decidingPermissions = rankPermissions | makingPermissions;

/** Who owns a server, and what its roles allow in the whole of it. */
export interface GuildRoles {
  readonly ownerId: string;
  /** By the role's id; everyone's role goes by the server's. Most roles decide nothing here and are left out. */
  readonly permissions: ReadonlyMap<string, bigint>;
}

/** What asking for them came to. */
export type GuildRolesRead =
  | { readonly state: "found"; readonly roles: GuildRoles }
  | {
      readonly state: "failed";
      readonly error: BotError;
      /** Asking again before that would not help. */
      readonly waitMs: number;
    };

/** A member as each interaction describes them. */
export interface GuildMember {
  readonly guildId: string;
  readonly userId: string;
  readonly roles: readonly string[];
  /** Whether a moderator silences them at the moment. */
  readonly isTimedOut: boolean;
}

/**
 * What the member may do in the whole server, of `decidingPermissions`: no channel's overwrites count
 * (https://docs.discord.com/developers/topics/permissions#permission-hierarchy). A time-out takes it all from everyone
 * but the owner and administrators.
 */
export function basePermissions(member: GuildMember, guild: GuildRoles): bigint {
  const { guildId, userId, roles, isTimedOut } = member;
  if (userId === guild.ownerId) return decidingPermissions;
  const held = [guildId, ...roles].reduce(
    (sum, role) => sum | (guild.permissions.get(role) ?? 0n),
    0n,
  );
  if ((held & PermissionFlagsBits.Administrator) !== 0n) return decidingPermissions;
  return isTimedOut ? 0n : held;
}

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
  { value, unread }: KnownSettings,
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
