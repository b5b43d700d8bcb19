import type { APIGuildMember, GuildMemberFlags } from "discord-api-types/v10";
import { type CastMember, personNames } from "./cast.ts";
import type { World } from "./world.ts";

/** What can change about a member. */
export interface MemberState {
  readonly nick: string | null;
  readonly roleIds: readonly string[];
}

/** Ids of who is in each server, oldest first: the same everywhere. */
export function memberIds({ cast }: World): readonly string[] {
  const ids = [cast.bot.id, ...personNames.map((name) => cast.people[name].user.id)];
  return ids.sort((one, other) => (BigInt(one) < BigInt(other) ? -1 : 1));
}

function castMember({ cast }: World, userId: string): Omit<CastMember, "name"> | undefined {
  if (userId !== cast.bot.id) {
    return Object.values(cast.people).find(({ user }) => user.id === userId);
  }
  return { user: cast.bot, role: cast.botRole, joinedAt: cast.people.owner.joinedAt };
}

const keyOf = (guildId: string, userId: string): string => `${guildId} ${userId}`;

/** The nickname and roles of somebody who is in the server. */
export function memberState(world: World, guildId: string, userId: string): MemberState {
  const known = world.memberStates.get(keyOf(guildId, userId));
  const { role } = castMember(world, userId) ?? {};
  return known ?? { nick: null, roleIds: role === undefined ? [] : [role.id] };
}

/** The member object as the platform shows it; undefined for who is not there. */
export function memberOf(
  world: World,
  guildId: string,
  userId: string,
): APIGuildMember | undefined {
  const found = castMember(world, userId);
  if (found === undefined) return undefined;
  const { nick, roleIds } = memberState(world, guildId, userId);
  return {
    user: found.user,
    nick,
    avatar: null,
    banner: null,
    roles: [...roleIds],
    joined_at: found.joinedAt,
    premium_since: null,
    deaf: false,
    mute: false,
    flags: 0 as GuildMemberFlags,
    pending: false,
    communication_disabled_until: null,
  };
}

/** Changes somebody who is in the server, and tells the bot. */
export function changeMember(
  world: World,
  { guildId, userId }: { readonly guildId: string; readonly userId: string },
  change: Partial<MemberState>,
): void {
  const state = { ...memberState(world, guildId, userId), ...change };
  world.memberStates.set(keyOf(guildId, userId), state);
  const member = memberOf(world, guildId, userId);
  if (guildId !== world.cast.guildId || member === undefined) return;
  world.dispatch({ name: "GUILD_MEMBER_UPDATE", data: member });
}

/** Ids of members whose nickname or own name begins with the query. */
export function foundMembers(world: World, guildId: string, query: string): readonly string[] {
  const wanted = query.toLowerCase();
  return memberIds(world).filter((id) => {
    const member = memberOf(world, guildId, id);
    const names = [member?.nick, member?.user.username, member?.user.global_name];
    return names.some((name) => name?.toLowerCase().startsWith(wanted));
  });
}
