import type { APIDMChannel, APIRole, APIThreadChannel } from "discord-api-types/v10";
import type { PersonName } from "../types.ts";
import { memberState } from "./members.ts";
import { channelPermissions, guildPermissions, isHeld, type Right, rights } from "./permissions.ts";
import type { PageEvent } from "./protocol.ts";
import { personNames, type ServerChannel } from "./sample-guild.ts";
import type { PlatformState, StoredMessage } from "./state.ts";
import { findStoredThread, shownThread } from "./threads.ts";

/** A person, or the bot itself. */
type AccessHolder = PersonName | "bot";

/** As it is now: nothing where it was removed. */
export function channelById(state: PlatformState, id: string): ServerChannel | undefined {
  if (state.removedChannels.has(id)) return undefined;
  const found = state.guild.channels.find((channel) => channel.id === id);
  const changes = state.channelChanges.get(id);
  // Only fields that its kind of channel has are ever changed.
  return found === undefined ? undefined : ({ ...found, ...changes } as ServerChannel);
}

export function allChannels(state: PlatformState): readonly ServerChannel[] {
  const all = state.guild.channels.map(({ id }) => channelById(state, id));
  return all.filter((channel) => channel !== undefined);
}

/** A channel of the server, or a post of one of its forums. */
export function shownChannelOrThread(
  state: PlatformState,
  id: string,
): ServerChannel | APIThreadChannel | undefined {
  const thread = findStoredThread(state, id);
  return thread === undefined ? channelById(state, id) : shownThread(state, thread);
}

/** Whose conversation with the bot a channel is. */
export function partnerIn({ guild }: PlatformState, id: string): PersonName | undefined {
  return personNames.find((name) => guild.directChannels[name].id === id);
}

export function directChannelFor({ guild }: PlatformState, name: PersonName): APIDMChannel {
  return guild.directChannels[name];
}

/** As it is now: the roles' permissions may have been changed. */
export function roleIn({ rolePermissions, rolePositions }: PlatformState, role: APIRole): APIRole {
  const { permissions, position } = role;
  const held = rolePermissions.get(role.id);
  return {
    ...role,
    permissions: held === undefined ? permissions : String(held),
    position: rolePositions.get(role.id) ?? position,
  };
}

function rolesFor(state: PlatformState, who: AccessHolder): readonly APIRole[] {
  const { guild } = state;
  const { roleIds } = memberState(state, guild.guildId, accessId(state, who));
  return guild.roles.filter(({ id }) => id === guild.guildId || roleIds.includes(id));
}

function accessId({ guild }: PlatformState, who: AccessHolder): string {
  return who === "bot" ? guild.bot.id : guild.people[who].user.id;
}

/** How high somebody ranks: they can only manage those below them. */
export function roleHeight(state: PlatformState, who: AccessHolder): number {
  if (who === "owner") return Number.POSITIVE_INFINITY;
  return Math.max(...rolesFor(state, who).map((role) => roleIn(state, role).position));
}

/** What somebody may do in the whole server. */
export function serverRights(state: PlatformState, who: AccessHolder): bigint {
  const held = rolesFor(state, who).map((role) => BigInt(roleIn(state, role).permissions));
  return guildPermissions(held, who === "owner");
}

/** What somebody may do in a channel of the server. */
export function permissionsIn(state: PlatformState, channelId: string, who: AccessHolder): bigint {
  const { guildId } = state.guild;
  // A thread has no overwrites of its own.
  const placeId = findStoredThread(state, channelId)?.parentId ?? channelId;
  return channelPermissions(serverRights(state, who), {
    overwrites: channelById(state, placeId)?.permission_overwrites ?? [],
    guildId,
    roleIds: rolesFor(state, who).flatMap(({ id }) => (id === guildId ? [] : [id])),
    userId: accessId(state, who),
    writing: rights[rightIn(state, channelId, "send")],
  });
}

/** Whether the bot may do something in a channel; in a direct conversation, all but manage the other's messages. */
export function botMay(state: PlatformState, channelId: string, right: Right): boolean {
  if (partnerIn(state, channelId) !== undefined) return !overOthers.includes(right);
  return isHeld(permissionsIn(state, channelId, "bot"), rightIn(state, channelId, right));
}

const overOthers: readonly Right[] = ["manageMessages", "manageThreads"];

/** Writing in a thread is a right of its own (https://docs.discord.com/developers/topics/threads#permissions). */
export function rightIn(state: PlatformState, channelId: string, right: Right): Right {
  return right === "send" && state.threads.has(channelId) ? "sendInThreads" : right;
}

export function maySee(state: PlatformState, channelId: string, name: PersonName): boolean {
  const partner = partnerIn(state, channelId);
  if (partner !== undefined) return partner === name && state.openDirectChannels.has(name);
  const isThere = channelById(state, channelId) ?? findStoredThread(state, channelId);
  return isThere !== undefined && isHeld(permissionsIn(state, channelId, name), "view");
}

export function isSeenBy(state: PlatformState, stored: StoredMessage, name: PersonName): boolean {
  const { audience, isDismissed, message } = stored;
  if (audience !== undefined && (audience !== name || isDismissed)) return false;
  return maySee(state, message.channel_id, name);
}

/** Whether an event is for a person: meant for everyone or for them, and from a place that they see. */
export function isEventFor(
  state: PlatformState,
  { event, audience }: { readonly event: PageEvent; readonly audience: PersonName | undefined },
  name: PersonName,
): boolean {
  if (audience !== undefined && audience !== name) return false;
  const channelId = findPlace(event);
  return channelId === undefined || maySee(state, channelId, name);
}

function findPlace(event: PageEvent): string | undefined {
  switch (event.type) {
    case "message":
      return event.message.channel_id;
    case "message-deleted":
    case "typing":
      return event.channelId;
    case "thread":
      return event.thread.parent_id ?? undefined;
    case "thread-deleted":
      return event.parentId;
    default:
      return undefined;
  }
}
