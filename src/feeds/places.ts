import type { Feed, FeedPlace, ReleaseKind } from "./record.ts";

/** The code of a channel that the service no longer has; only people switch such a feed on again. */
export const channelGone = "channel_gone";

/** Whether something is announced there. */
export function isOpen(place: FeedPlace | undefined): place is FeedPlace {
  return place !== undefined && place.off === undefined;
}

/** Whether the feed is looked at: what only lacks a key or link is, because either may be back. */
export function isWatched({ paused, off, places }: Feed): boolean {
  if (paused !== undefined || off?.code === channelGone) return false;
  return Object.values(places).some(isOpen);
}

/** Kinds that are announced in that channel of Discord's. */
export function kindsIn({ places }: Feed, channelId: string): readonly ReleaseKind[] {
  const kinds = Object.keys(places) as ReleaseKind[];
  return kinds.filter((kind) => places[kind]?.channelId === channelId);
}
