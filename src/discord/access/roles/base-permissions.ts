import { PermissionFlagsBits } from "discord.js";
import { rankPermissions } from "../../rank.ts";
import { makingPermissions } from "../expressions/may.ts";

/** Every permission that something here is decided by. */
export const decidingPermissions = rankPermissions | makingPermissions;

/** Who owns a server, and what its roles allow in the whole of it. */
export interface GuildRoles {
  readonly ownerId: string;
  /** By the role's id; everyone's role goes by the server's. Most roles decide nothing here and are left out. */
  readonly permissions: ReadonlyMap<string, bigint>;
}

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
