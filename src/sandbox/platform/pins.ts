import type { MessageType } from "discord-api-types/v10";
import type { StoredMessage, World } from "./world.ts";

/** https://docs.discord.com/developers/resources/message#pin-message */
export const maxPins = 250;

/** Messages that are pinned in a channel, the latest pin first. */
export function pinsIn({ messages }: World, channelId: string): readonly StoredMessage[] {
  return [...messages.values()]
    .filter(({ message, pinnedAt }) => message.channel_id === channelId && pinnedAt !== undefined)
    .sort((one, other) => (other.pinnedAt ?? 0) - (one.pinnedAt ?? 0));
}

/** Marks or unmarks a message, and tells whoever sees it. */
export function setPinned(world: World, stored: StoredMessage, isPinned: boolean): void {
  stored.pinnedAt = isPinned ? world.now() : undefined;
  stored.message = { ...stored.message, pinned: isPinned };
  const { channel_id: channelId } = stored.message;
  const message = world.shown(stored);
  world.publish({ type: "message", message }, stored.audience);
  world.dispatch({ name: "MESSAGE_UPDATE", data: message, channelId });
  const last = pinsIn(world, channelId)[0]?.pinnedAt;
  world.dispatch({
    name: "CHANNEL_PINS_UPDATE",
    channelId,
    data: {
      channel_id: channelId,
      last_pin_timestamp: last === undefined ? null : new Date(last).toISOString(),
    },
  });
}

/** What stands in the channel where something was pinned. */
export const pinNotice = 6 as MessageType;
