/** Announces new videos of channels, each once. */

import { handleAnnounceJobs } from "./announce.ts";
import { handleCountJobs } from "./count-videos.ts";
import { createSlowdown } from "./pace.ts";
import { handlePollJobs } from "./poll-feed.ts";
import { createHub } from "./push/receive.ts";
import { createTurn, handleSubscribeJobs } from "./push/subscription.ts";
import { handleUnsubscribes } from "./push/unsubscription.ts";
import { createRoom, type FeedsDeps } from "./room.ts";
import { createServerFeeds } from "./server-feeds.ts";
import { handleFollowJobs } from "./streams/follow.ts";

export { isMutedAt, passesFilter } from "./filter.ts";
export type { Hub } from "./push/receive.ts";
export { unsubscribeJobs } from "./push/unsubscription.ts";
export type * from "./record.ts";
export { isPlaceOpen, placeFor, streamMessages } from "./record.ts";
export type { ReleasedVideo, ReleaseKind } from "./release.ts";
export { isBroadcastKind, releaseKinds } from "./release.ts";
export type { FeedsDeps } from "./room.ts";
export { maxFeeds, type ServerFeeds } from "./server-feeds.ts";
export { unitsOfUsualStream } from "./streams/price.ts";
export type * from "./streams/stream-record.ts";

export type Feeds = ReturnType<typeof createFeeds>;

/** Announcements of channels' new videos, in all servers. The work is done by jobs, in any process, once `jobs` is started. */
export function createFeeds(deps: FeedsDeps) {
  const room = createRoom(deps);
  const turn = createTurn(room);
  const findSlowdown = createSlowdown(room);
  handlePollJobs(room);
  handleFollowJobs(room);
  handleAnnounceJobs(room);
  handleCountJobs(room);
  handleSubscribeJobs(room, turn);
  handleUnsubscribes(room, turn);
  return {
    of: (guildId: string) => createServerFeeds(room, guildId, findSlowdown),
    /** Answers the hub, which sends its requests to `callbackUrl`. */
    hub: createHub(room),
  };
}
