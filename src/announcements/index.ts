/** Announces new videos of channels, each once. */

export { createFeeds, type Feeds } from "./create-feeds.ts";
export type { ServerFeeds } from "./guild-feeds.ts";
export type { Hub } from "./push/receive.ts";
export { unsubscribeJobs } from "./push/unsubscription.ts";
export type * from "./record.ts";
export { releaseKinds } from "./record.ts";
export type { FeedsDeps } from "./room.ts";
export type * from "./types.ts";
