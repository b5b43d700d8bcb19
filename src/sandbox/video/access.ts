import type { Call } from "./call.ts";
import { tokenNeeded } from "./credentials.ts";
import { forbidden, notFound, Refusal } from "./refusal.ts";
import { hasEtag } from "./reply.ts";
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

/** Refuses a write whose `If-Match` names another state than the resource, as the same parts show it, is in. */
export function checkUnchanged({ ifMatch }: Call, resource: object): void {
  const { etag } = resource as { readonly etag?: string };
  if (ifMatch === undefined || etag === undefined || hasEtag(ifMatch, etag)) return;
  throw new Refusal(412, {
    reason: "conditionNotMet",
    message: "The resource was changed since its etag was read.",
    place: { location: "If-Match", locationType: "header" },
  });
}
