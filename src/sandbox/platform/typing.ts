import type { World } from "./world.ts";

/** Shows for as long as `typingMs`, or until something is written. */
export function startTyping(world: World, channelId: string, userId: string): void {
  world.publish({ type: "typing", channelId, userId });
  const timestamp = Math.floor(world.now() / 1_000);
  const data = { channel_id: channelId, user_id: userId, timestamp };
  world.dispatch({ name: "TYPING_START", data, channelId });
}
