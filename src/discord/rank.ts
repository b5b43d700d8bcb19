import { PermissionFlagsBits } from "discord.js";
import type { GuildSettings } from "../store/index.ts";

export const ranks = ["member", "moderator", "manager", "owner"] as const;
export type Rank = (typeof ranks)[number];

const moderating = PermissionFlagsBits.ManageMessages | PermissionFlagsBits.ModerateMembers;
const owning = PermissionFlagsBits.ManageGuild | PermissionFlagsBits.Administrator;

/** Rank by the permissions that this interaction carries (design 7): Manage Server owns. */
export function rankOf(permissions: string): Rank {
  const bits = BigInt(permissions);
  if ((bits & owning) !== 0n) return "owner";
  if ((bits & PermissionFlagsBits.ManageChannels) !== 0n) return "manager";
  if ((bits & moderating) !== 0n) return "moderator";
  return "member";
}

/** The highest rank that the permissions or one of the person's roles give. */
export function rankWith(
  permissions: string,
  roles: readonly string[],
  mapped: GuildSettings["roles"],
): Rank {
  const given = rankOf(permissions);
  const byRole = ranks.filter(
    (rank) => rank !== "member" && mapped?.[rank]?.some((role) => roles.includes(role)) === true,
  );
  return byRole.reduce((best: Rank, rank) => (reaches(rank, best) ? rank : best), given);
}

export function reaches(rank: Rank, wanted: Rank): boolean {
  return ranks.indexOf(rank) >= ranks.indexOf(wanted);
}
