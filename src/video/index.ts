/** The table: one row of facts a method. */

/** Builds a client for one set of credentials. */
export { createVideoClient, type VideoClientOptions } from "./create-video-client.ts";
export { methods } from "./methods/index.ts";
export type { MethodSpec, ParamSpec } from "./methods/spec.ts";
/** When the daily budgets start anew. */
export { quotaResetAfter } from "./quota-reset.ts";
export type {
  Channel,
  I18nRegion,
  Page,
  Playlist,
  PlaylistItem,
  ResourceId,
  SearchResult,
  Thumbnail,
  Thumbnails,
  Video,
  VideoCategory,
} from "./resources.ts";
export type { CallOptions, Method, Params, Result, VideoClient } from "./types.ts";
