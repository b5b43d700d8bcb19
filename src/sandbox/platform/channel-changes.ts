import type { APIOverwrite } from "discord-api-types/v10";
import { allChannels, channelById } from "./channel-access.ts";
import type { ServerChannel } from "./sample-guild.ts";
import type { ChannelChanges, PlatformState } from "./state.ts";

/** As an administrator would. */
export function changeChannel(state: PlatformState, id: string, changes: ChannelChanges): void {
  state.channelChanges.set(id, { ...state.channelChanges.get(id), ...changes });
  if (changes.available_tags !== undefined) dropTags(state, id);
  publishChannels(state);
  dispatchChannel(state, id, "CHANNEL_UPDATE");
}

/** Replaces what that role or person had there before; one that neither allows nor denies anything removes it. */
export function setOverwrite(
  state: PlatformState,
  channelId: string,
  overwrite: APIOverwrite,
): void {
  const before = channelById(state, channelId)?.permission_overwrites ?? [];
  const others = before.filter(({ id }) => id !== overwrite.id);
  const isEmpty = overwrite.allow === "0" && overwrite.deny === "0";
  const permission_overwrites = isEmpty ? others : [...others, overwrite];
  changeChannel(state, channelId, { permission_overwrites });
}

/** Takes tags that are gone off the posts. */
function dropTags(state: PlatformState, forumId: string): void {
  const left = state.channelChanges.get(forumId)?.available_tags ?? [];
  for (const thread of state.threads.values()) {
    if (thread.parentId !== forumId) continue;
    thread.appliedTags = thread.appliedTags.filter((id) => left.some((tag) => tag.id === id));
  }
}

export function addChannel(state: PlatformState, channel: ServerChannel): void {
  state.guild.channels.push(channel);
  publishChannels(state);
  dispatchChannel(state, channel.id, "CHANNEL_CREATE");
}

export function removeChannel(state: PlatformState, id: string): void {
  dispatchChannel(state, id, "CHANNEL_DELETE");
  state.removedChannels.add(id);
  publishChannels(state);
}

/** With all that was in it; Discord itself can't do that. */
export function restoreChannel(state: PlatformState, id: string): void {
  state.removedChannels.delete(id);
  publishChannels(state);
  dispatchChannel(state, id, "CHANNEL_CREATE");
}

function dispatchChannel(
  state: PlatformState,
  channelId: string,
  name: "CHANNEL_CREATE" | "CHANNEL_UPDATE" | "CHANNEL_DELETE",
): void {
  const data = channelById(state, channelId);
  if (data !== undefined) state.dispatch({ name, data, channelId });
}

/** People may see different channels, so the list is filtered where it is sent. */
function publishChannels(state: PlatformState): void {
  state.publish({ type: "channels", channels: allChannels(state).map(pageChannel) });
}

export function pageChannel(channel: ReturnType<typeof allChannels>[number]) {
  const { id, type, name } = channel;
  const tags = "available_tags" in channel ? { available_tags: channel.available_tags } : {};
  return { id, type, name: name ?? "", ...tags };
}
