import type { Call } from "./call.ts";
import { tokenNeeded } from "./credentials.ts";
import { forbidden, notFound } from "./refusal.ts";
import type { Channel, Video } from "./world/index.ts";

/** The channel a token speaks for; methods that take tokens only always have one. */
export function viewerOf({ viewer }: Call): string {
  if (viewer === undefined) throw tokenNeeded();
  return viewer;
}

export function ownChannel(call: Call): Channel {
  const channel = call.world.channels.get(viewerOf(call));
  if (channel === undefined) throw forbidden("channel", "authenticatedUserNotChannel");
  return channel;
}

/** Whether the caller sees it at all: a private one only its owner does. */
export function isVisible(
  { privacy, channelId }: Pick<Video, "privacy" | "channelId">,
  { viewer }: Call,
): boolean {
  return privacy !== "private" || channelId === viewer;
}

export function visibleVideo(call: Call, id: string, parameter: string): Video {
  const video = call.world.videos.get(id);
  if (video === undefined || !isVisible(video, call)) {
    throw notFound("video", "videoNotFound", parameter);
  }
  return video;
}

/** A video that the caller may change. */
export function ownVideo(call: Call, id: string, parameter: string): Video {
  const video = visibleVideo(call, id, parameter);
  if (video.channelId !== viewerOf(call)) throw forbidden("video");
  return video;
}
