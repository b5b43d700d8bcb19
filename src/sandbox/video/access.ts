import type { ApiCall } from "./call.ts";
import type { StoredChannel, StoredVideo } from "./data/index.ts";
import { forbidden, notFound, refusal } from "./refusal.ts";
import { hasEtag } from "./reply.ts";

/** The channel of the token; methods that require a token always have one. */
export function requireViewer({ viewer }: ApiCall): string {
  if (viewer === undefined) throw refusal("tokenNeeded");
  return viewer;
}

export function ownChannel(call: ApiCall): StoredChannel {
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

export function visibleVideo(call: ApiCall, id: string, parameter: string): StoredVideo {
  const video = call.state.videos.get(id);
  if (video === undefined || !isVisible(video, call)) {
    throw notFound("video", "videoNotFound", parameter);
  }
  return video;
}

export function editableVideo(call: ApiCall, id: string, parameter: string): StoredVideo {
  const video = visibleVideo(call, id, parameter);
  if (video.channelId !== requireViewer(call)) throw forbidden("video");
  return video;
}

/** Refuses a write whose `If-Match` names another state than the resource, as the same parts show it, is in. */
export function checkUnchanged({ ifMatch }: ApiCall, resource: object): void {
  const { etag } = resource as { readonly etag?: string };
  if (ifMatch === undefined || etag === undefined || hasEtag(ifMatch, etag)) return;
  throw refusal("conditionNotMet");
}
