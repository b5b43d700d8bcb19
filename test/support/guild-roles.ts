import { Routes } from "discord-api-types/v10";
import {
  createServerRolesCache,
  readServerRoles,
} from "../../src/discord/access/roles/server-roles.ts";

/** Servers with one role per permission, so that a member can be given any of them. */

/** The owner of every such server. */
export const guildOwnerId = "839000000000000000";

const everyBit = Array.from({ length: 64 }, (_, at) => 1n << BigInt(at));

const roleOf = (at: number) => `${830_000_000_000_000_000n + BigInt(at)}`;

/** The roles that together give exactly these permissions. */
export function rolesGiving(permissions: bigint): readonly string[] {
  return everyBit.flatMap((bit, at) => ((permissions & bit) === 0n ? [] : [roleOf(at)]));
}

/** The part of `GET /guilds/{id}` that the bot reads. */
export function guildWithEveryRole(guildId: string, everyone = 0n) {
  const roles = everyBit.map((bit, at) => ({ id: roleOf(at), permissions: `${bit}` }));
  return {
    id: guildId,
    owner_id: guildOwnerId,
    roles: [{ id: guildId, permissions: `${everyone}` }, ...roles],
  };
}

type Get = (guildId: string) => Promise<unknown>;

/** The bot's cache of such servers; `get` stands in for Discord. */
export function rolesFrom(
  now: () => number,
  get: Get = async (guildId) => guildWithEveryRole(guildId),
) {
  const rest = { get: (route: string) => get(route.slice(Routes.guild("").length)) };
  return createServerRolesCache({
    read: (guildId) => readServerRoles(guildId, { rest, random: () => 0 }),
    now,
  });
}
