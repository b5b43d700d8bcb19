import type { APIOverwrite } from "discord-api-types/v10";
import { channelOf, channelsOf } from "./places.ts";
import type { ChannelChanges, World } from "./world.ts";

/** As an administrator would. */
export function changeChannel(world: World, id: string, changes: ChannelChanges): void {
  world.channelChanges.set(id, { ...world.channelChanges.get(id), ...changes });
  if (changes.available_tags !== undefined) dropTags(world, id);
  tellChannels(world);
  tellChannel(world, id, "CHANNEL_UPDATE");
}

/** Replaces what that role or person had there before; one that neither allows nor denies anything removes it. */
export function setOverwrite(world: World, channelId: string, overwrite: APIOverwrite): void {
  const before = channelOf(world, channelId)?.permission_overwrites ?? [];
  const others = before.filter(({ id }) => id !== overwrite.id);
  const isEmpty = overwrite.allow === "0" && overwrite.deny === "0";
  const permission_overwrites = isEmpty ? others : [...others, overwrite];
  changeChannel(world, channelId, { permission_overwrites });
}

/** Takes tags that are gone off the posts. */
function dropTags(world: World, forumId: string): void {
  const left = world.channelChanges.get(forumId)?.available_tags ?? [];
  for (const thread of world.threads.values()) {
    if (thread.parentId !== forumId) continue;
    thread.appliedTags = thread.appliedTags.filter((id) => left.some((tag) => tag.id === id));
  }
}

export function removeChannel(world: World, id: string): void {
  tellChannel(world, id, "CHANNEL_DELETE");
  world.removedChannels.add(id);
  tellChannels(world);
}

/** With all that was in it; Discord itself can't do that. */
export function restoreChannel(world: World, id: string): void {
  world.removedChannels.delete(id);
  tellChannels(world);
  tellChannel(world, id, "CHANNEL_CREATE");
}

function tellChannel(
  world: World,
  channelId: string,
  name: "CHANNEL_CREATE" | "CHANNEL_UPDATE" | "CHANNEL_DELETE",
): void {
  const data = channelOf(world, channelId);
  if (data !== undefined) world.dispatch({ name, data, channelId });
}

/** People may see different channels; whoever sends the list filters it. */
function tellChannels(world: World): void {
  world.publish({ type: "channels", channels: channelsOf(world).map(pageChannel) });
}

export function pageChannel(channel: ReturnType<typeof channelsOf>[number]) {
  const { id, type, name } = channel;
  const tags = "available_tags" in channel ? { available_tags: channel.available_tags } : {};
  return { id, type, name: name ?? "", ...tags };
}
