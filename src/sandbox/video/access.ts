import { fixedError, forbidden, notFound } from "./api-error.ts";
import type { ApiCall } from "./call.ts";
import type { StoredChannel, StoredVideo } from "./data/index.ts";
import { hasEtag } from "./reply.ts";

/** The channel of the token; methods that need a token always have one. */
export function requireViewer({ viewer }: ApiCall): string {
  if (viewer === undefined) throw fixedError("tokenNeeded");
  return viewer;
}

export function requireOwnChannel(call: ApiCall): StoredChannel {
  const channel = call.state.channels.get(requireViewer(call));
  if (channel === undefined) throw forbidden("channel", "authenticatedUserNotChannel");
  return channel;
}

/** Whether the caller can see it: a private one is visible only to its owner. */
export function isVisible(
  { privacy, channelId }: Pick<StoredVideo, "privacy" | "channelId">,
  { viewer }: ApiCall,
): boolean {
  return privacy !== "private" || channelId === viewer;
}

export function requireVideo(call: ApiCall, id: string, parameter: string): StoredVideo {
  const video = call.state.videos.get(id);
  if (video !== undefined && isVisible(video, call)) return video;
  throw notFound("video", "videoNotFound", parameter);
}

/** A video that the caller may change. */
export function requireOwnVideo(call: ApiCall, id: string, parameter: string): StoredVideo {
  const video = requireVideo(call, id, parameter);
  if (video.channelId !== requireViewer(call)) throw forbidden("video");
  return video;
}

/** Refuses a write whose `If-Match` names another state than the resource, as the same parts show it, is in. */
export function checkUnchanged({ ifMatch }: ApiCall, resource: object): void {
  const { etag } = resource as { readonly etag?: string };
  if (ifMatch === undefined || etag === undefined || hasEtag(ifMatch, etag)) return;
  throw fixedError("conditionNotMet");
}
