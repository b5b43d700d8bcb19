import type { APIGuildMember, GuildMemberFlags } from "discord-api-types/v10";
import { personNames, type SampleMember } from "./sample-guild.ts";
import type { MemberState, PlatformState } from "./state.ts";

/** Ids of the members, oldest first; every server has the same. */
export function memberIds({ guild }: PlatformState): readonly string[] {
  const ids = [guild.bot.id, ...personNames.map((name) => guild.people[name].user.id)];
  return ids.sort((one, other) => (BigInt(one) < BigInt(other) ? -1 : 1));
}

function castMember(
  { guild }: PlatformState,
  userId: string,
): Omit<SampleMember, "name"> | undefined {
  if (userId !== guild.bot.id) {
    return Object.values(guild.people).find(({ user }) => user.id === userId);
  }
  return { user: guild.bot, role: guild.botRole, joinedAt: guild.people.owner.joinedAt };
}

const memberKey = (guildId: string, userId: string): string => `${guildId} ${userId}`;

/** The nickname and roles of somebody who is in the server. */
export function memberState(state: PlatformState, guildId: string, userId: string): MemberState {
  const known = state.memberStates.get(memberKey(guildId, userId));
  const { role } = castMember(state, userId) ?? {};
  return known ?? { nick: null, roleIds: role === undefined ? [] : [role.id] };
}

/** The member object as Discord shows it; undefined for who is not there. */
export function describeMember(
  state: PlatformState,
  guildId: string,
  userId: string,
): APIGuildMember | undefined {
  const found = castMember(state, userId);
  if (found === undefined) return undefined;
  const { nick, roleIds } = memberState(state, guildId, userId);
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

export function changeMember(
  state: PlatformState,
  { guildId, userId }: { readonly guildId: string; readonly userId: string },
  change: Partial<MemberState>,
): void {
  const changed = { ...memberState(state, guildId, userId), ...change };
  state.memberStates.set(memberKey(guildId, userId), changed);
  const member = describeMember(state, guildId, userId);
  if (guildId !== state.guild.guildId || member === undefined) return;
  state.dispatch({ name: "GUILD_MEMBER_UPDATE", data: member });
}

/** Ids of members whose nickname or own name begins with the query. */
export function foundMembers(
  state: PlatformState,
  guildId: string,
  query: string,
): readonly string[] {
  const wanted = query.toLowerCase();
  return memberIds(state).filter((id) => {
    const member = describeMember(state, guildId, id);
    const names = [member?.nick, member?.user.username, member?.user.global_name];
    return names.some((name) => name?.toLowerCase().startsWith(wanted));
  });
}
