import { PermissionFlagsBits } from "discord-api-types/v10";
import type { ServerSettings } from "../store/index.ts";

export const ranks = ["member", "moderator", "manager", "owner"] as const;
export type Rank = (typeof ranks)[number];

const moderating = PermissionFlagsBits.ManageMessages | PermissionFlagsBits.ModerateMembers;
const owning = PermissionFlagsBits.ManageGuild | PermissionFlagsBits.Administrator;

const managing = PermissionFlagsBits.ManageChannels;

/** All permissions that give a rank. */
export const rankPermissions = moderating | managing | owning;

/** The permission without which Discord does not show a command of that rank, by default. */
export const showingPermissions = {
  member: undefined,
  moderator: PermissionFlagsBits.ManageMessages,
  manager: PermissionFlagsBits.ManageChannels,
  owner: PermissionFlagsBits.ManageGuild,
} as const satisfies Record<Rank, bigint | undefined>;

/** The rank that somebody's server-wide permissions give: Manage Server makes an owner. */
export function rankFor(permissions: bigint): Rank {
  if ((permissions & owning) !== 0n) return "owner";
  if ((permissions & managing) !== 0n) return "manager";
  if ((permissions & moderating) !== 0n) return "moderator";
  return "member";
}

/** The highest of that rank and the ranks that the person's roles are mapped to. */
export function rankWith(
  given: Rank,
  roles: readonly string[],
  mapped: NonNullable<ServerSettings["roles"]>,
): Rank {
  const byRole = ranks.filter(
    (rank) => rank !== "member" && mapped[rank]?.some((role) => roles.includes(role)) === true,
  );
  return byRole.reduce((best: Rank, rank) => (reaches(rank, best) ? rank : best), given);
}

export function reaches(rank: Rank, wanted: Rank): boolean {
  return ranks.indexOf(rank) >= ranks.indexOf(wanted);
}
