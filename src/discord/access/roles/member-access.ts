import type { BotError } from "../../../errors.ts";
import { type Rank, rankOf, rankWith } from "../../rank.ts";
import type { Near } from "../settings.ts";
import { storeUnavailable } from "../store-unavailable.ts";
import { basePermissions, decidingPermissions, type GuildMember } from "./base-permissions.ts";
import type { GuildRolesCache } from "./guild-roles-cache.ts";

/** What a member may do, as far as it is known: it never says too much, and says more once the roles were read. */
export interface MemberAccess {
  rank(): Rank;
  /** In the whole server; nothing until the roles were read. */
  permissions(): bigint;
  /** Why those were left out. */
  permissionsUnread(): BotError | undefined;
  /** Why roles were left out of the rank, where they might have raised it. */
  rolesUnread(): BotError | undefined;
  /** Reads the server's roles unless they are known. Never throws. */
  learnRoles(timeoutMs: number): Promise<void>;
  /** Whether reading them promises anything: not where they are known, nor where this very channel allows nothing. */
  isPromising(): boolean;
}

export interface MemberAccessDeps {
  readonly member: GuildMember;
  /** With the overwrites of the channel: good for a guess at whether there is anything to be read, and for nothing else. */
  readonly permissionsHere: bigint;
  readonly settings: Near;
  readonly guildRoles: GuildRolesCache;
}

export function createMemberAccess(deps: MemberAccessDeps): MemberAccess {
  const { member, permissionsHere, settings, guildRoles } = deps;
  const { guildId, roles, isTimedOut } = member;
  // Old settings may hold a role that was taken away since, and a time-out takes away what roles give.
  const mapped = isTimedOut || settings.unread !== undefined ? undefined : settings.value.roles;
  const mappedUnread =
    settings.unread !== undefined && roles.length > 0
      ? storeUnavailable(settings.unread)
      : undefined;
  let read = guildRoles.known(guildId);
  let permissions = 0n;
  let rank: Rank = "member";
  judge();

  function judge(): void {
    permissions = read?.state === "found" ? basePermissions(member, read.roles) : 0n;
    rank = rankWith(rankOf(permissions), roles, mapped);
  }
  const permissionsUnread = () => (read?.state === "failed" ? read.error : undefined);

  return {
    rank: () => rank,
    permissions: () => permissions,
    permissionsUnread,
    rolesUnread: () => mappedUnread ?? permissionsUnread(),
    async learnRoles(timeoutMs) {
      if (read?.state === "found") return;
      read = await guildRoles.read(guildId, timeoutMs);
      judge();
    },
    isPromising: () => read === undefined && (permissionsHere & decidingPermissions) !== 0n,
  };
}
