/** What channels bring out, announced once. */

export { createFeeds } from "./create-feeds.ts";
export type { FeedsDeps } from "./deps.ts";
export type { Hub, HubMessage, HubQuestion } from "./push/hub.ts";
export type * from "./record.ts";
export type * from "./types.ts";
