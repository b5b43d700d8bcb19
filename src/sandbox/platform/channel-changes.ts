import { allChannels, channelById } from "./channel-access.ts";
import type { ServerChannel } from "./sample-guild.ts";
import type { ChannelChanges, PlatformState } from "./state.ts";

/** As an administrator would. */
export function changeChannel(state: PlatformState, id: string, changes: ChannelChanges): void {
  state.channelChanges.set(id, { ...state.channelChanges.get(id), ...changes });
  const { available_tags: tags } = changes;
  if (tags !== undefined) {
    // Tags that are gone are taken off the posts.
    for (const thread of state.threads.values()) {
      if (thread.parentId !== id) continue;
      thread.appliedTags = thread.appliedTags.filter((each) => tags.some((tag) => tag.id === each));
    }
  }
  publishChannels(state);
  dispatchChannel(state, id, "CHANNEL_UPDATE");
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
