import type { APIDMChannel, APITextChannel } from "discord-api-types/v10";
import type { PersonName } from "../types.ts";
import { personNames } from "./cast.ts";
import { type channelRights, isHeld, permissions } from "./permissions.ts";
import type { PageEvent } from "./protocol.ts";
import type { StoredMessage, World } from "./world.ts";

/** A person, or the bot itself. */
export type Someone = PersonName | "bot";

export function channelOf({ cast }: World, id: string): APITextChannel | undefined {
  return cast.channels.find((channel) => channel.id === id);
}

/** Whose conversation with the bot a channel is. */
export function partnerIn({ cast }: World, id: string): PersonName | undefined {
  return personNames.find((name) => cast.directChannels[name].id === id);
}

export function directChannelOf({ cast }: World, name: PersonName): APIDMChannel {
  return cast.directChannels[name];
}

/**
 * What somebody may do in a channel of the server: overwrites of everyone, then of the role, then of the person
 * (https://docs.discord.com/developers/topics/permissions#permission-overwrites).
 */
export function permissionsIn(world: World, channelId: string, who: Someone): bigint {
  const { cast } = world;
  const base = who === "bot" ? world.botPermissions : world.person(who).permissions;
  if ((base & permissions.administrator) !== 0n) return permissions.all;
  const role = who === "bot" ? cast.botRole : world.person(who).role;
  const user = who === "bot" ? cast.bot : world.person(who).user;
  const overwrites = [
    ...(channelOf(world, channelId)?.permission_overwrites ?? []),
    ...(world.botOverwrites.get(channelId) ?? []),
  ];
  return [cast.guildId, role.id, user.id]
    .flatMap((id) => overwrites.filter((each) => each.id === id))
    .reduce((held, { allow, deny }) => (held & ~BigInt(deny)) | BigInt(allow), base);
}

/** Whether the bot may do something in a channel; in a conversation it may do all but rule over the other's words. */
export function botMay(
  world: World,
  channelId: string,
  right: keyof typeof channelRights,
): boolean {
  if (partnerIn(world, channelId) !== undefined) return right !== "manageMessages";
  return isHeld(permissionsIn(world, channelId, "bot"), right);
}

/** Whether a person finds a channel in their list. */
export function maySee(world: World, channelId: string, name: PersonName): boolean {
  const partner = partnerIn(world, channelId);
  if (partner !== undefined) return partner === name && world.openTo.has(name);
  return isHeld(permissionsIn(world, channelId, name), "view");
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
  const channelId =
    event.type === "message"
      ? event.message.channel_id
      : event.type === "message-deleted"
        ? event.channelId
        : undefined;
  return channelId === undefined || maySee(world, channelId, name);
}
