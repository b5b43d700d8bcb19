import type { APIDMChannel, APIRole, APIThreadChannel } from "discord-api-types/v10";
import type { PersonName } from "../types.ts";
import { personNames, type ServerChannel } from "./cast.ts";
import { memberState } from "./members.ts";
import { basePermissions, channelPermissions, isHeld, type Right, rights } from "./permissions.ts";
import type { PageEvent } from "./protocol.ts";
import { shownThread, threadOf } from "./threads.ts";
import type { StoredMessage, World } from "./world.ts";

/** A person, or the bot itself. */
type Someone = PersonName | "bot";

/** As it is now: nothing where it was removed. */
export function channelOf(world: World, id: string): ServerChannel | undefined {
  if (world.removedChannels.has(id)) return undefined;
  const found = world.cast.channels.find((channel) => channel.id === id);
  const changes = world.channelChanges.get(id);
  // Only fields that its kind of channel has are ever changed.
  return found === undefined ? undefined : ({ ...found, ...changes } as ServerChannel);
}

export function channelsOf(world: World): readonly ServerChannel[] {
  const all = world.cast.channels.map(({ id }) => channelOf(world, id));
  return all.filter((channel) => channel !== undefined);
}

/** A channel of the server, or a post of one of its forums. */
export function shownPlace(world: World, id: string): ServerChannel | APIThreadChannel | undefined {
  const thread = threadOf(world, id);
  return thread === undefined ? channelOf(world, id) : shownThread(world, thread);
}

/** Whose conversation with the bot a channel is. */
export function partnerIn({ cast }: World, id: string): PersonName | undefined {
  return personNames.find((name) => cast.directChannels[name].id === id);
}

export function directChannelOf({ cast }: World, name: PersonName): APIDMChannel {
  return cast.directChannels[name];
}

/** As it is now: the roles' permissions may have been changed. */
export function roleIn({ rolePermissions, rolePositions }: World, role: APIRole): APIRole {
  const { permissions, position } = role;
  const held = rolePermissions.get(role.id);
  return {
    ...role,
    permissions: held === undefined ? permissions : String(held),
    position: rolePositions.get(role.id) ?? position,
  };
}

function rolesOf(world: World, who: Someone): readonly APIRole[] {
  const { cast } = world;
  const { roleIds } = memberState(world, cast.guildId, idOf(world, who));
  return cast.roles.filter(({ id }) => id === cast.guildId || roleIds.includes(id));
}

function idOf({ cast }: World, who: Someone): string {
  return who === "bot" ? cast.bot.id : cast.people[who].user.id;
}

/** How high somebody ranks: they can only manage those below them. */
export function rankOf(world: World, who: Someone): number {
  if (who === "owner") return Number.POSITIVE_INFINITY;
  return Math.max(...rolesOf(world, who).map((role) => roleIn(world, role).position));
}

/** What somebody may do in the whole server. */
export function permissionsOf(world: World, who: Someone): bigint {
  const held = rolesOf(world, who).map((role) => BigInt(roleIn(world, role).permissions));
  return basePermissions(held, who === "owner");
}

/** What somebody may do in a channel of the server. */
export function permissionsIn(world: World, channelId: string, who: Someone): bigint {
  const { guildId } = world.cast;
  // A thread has no overwrites of its own.
  const placeId = threadOf(world, channelId)?.parentId ?? channelId;
  return channelPermissions(permissionsOf(world, who), {
    overwrites: channelOf(world, placeId)?.permission_overwrites ?? [],
    guildId,
    roleIds: rolesOf(world, who).flatMap(({ id }) => (id === guildId ? [] : [id])),
    userId: idOf(world, who),
    writing: rights[rightIn(world, channelId, "send")],
  });
}

/** Whether the bot may do something in a channel; in a direct conversation, all but manage the other's messages. */
export function botMay(world: World, channelId: string, right: Right): boolean {
  if (partnerIn(world, channelId) !== undefined) return !overOthers.includes(right);
  return isHeld(permissionsIn(world, channelId, "bot"), rightIn(world, channelId, right));
}

const overOthers: readonly Right[] = ["manageMessages", "manageThreads"];

/** Writing in a thread is a right of its own (https://docs.discord.com/developers/topics/threads#permissions). */
export function rightIn(world: World, channelId: string, right: Right): Right {
  return right === "send" && world.threads.has(channelId) ? "sendInThreads" : right;
}

/** Whether a person finds a channel in their list. */
export function maySee(world: World, channelId: string, name: PersonName): boolean {
  const partner = partnerIn(world, channelId);
  if (partner !== undefined) return partner === name && world.openTo.has(name);
  const isThere = channelOf(world, channelId) ?? threadOf(world, channelId);
  return isThere !== undefined && isHeld(permissionsIn(world, channelId, name), "view");
}

export function isSeenBy(world: World, stored: StoredMessage, name: PersonName): boolean {
  const { audience, isDismissed, message } = stored;
  if (audience !== undefined && (audience !== name || isDismissed)) return false;
  return maySee(world, message.channel_id, name);
}

/** Whether an event is for a person: meant for everyone or for them, and from a place that they see. */
export function reaches(
  world: World,
  { event, audience }: { readonly event: PageEvent; readonly audience: PersonName | undefined },
  name: PersonName,
): boolean {
  if (audience !== undefined && audience !== name) return false;
  const channelId = placeOf(event);
  return channelId === undefined || maySee(world, channelId, name);
}

function placeOf(event: PageEvent): string | undefined {
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
