/** Builds a client for one set of credentials. `warmVideoClient` saves its first call some 50 ms. */

/** Refuses parameters that YouTube would refuse, before a question about the call is asked. */
export { checkCall } from "./check/check.ts";
/** Countries that a `regionCode` may name. */
export { servedCountries } from "./countries.ts";
export {
  createVideoClient,
  type VideoClientOptions,
  warmVideoClient,
} from "./create-video-client.ts";
/** Whether a call with these parameters is refused without a person's token. */
export { needsToken } from "./credentials.ts";
/** Addresses of videos, playlists, channels and comments, as they are shown. */
export { youtubePages } from "./links.ts";
/** The table of the API: one `MethodSpec` for each method. */
export { methods } from "./methods/index.ts";
/** What the table says about a method, its parameters, its body and its media. */
export type {
  FieldSpec,
  MediaSpec,
  MethodSpec,
  ParamSpec,
} from "./methods/spec.ts";
/** Walks a list by a function that reads one page of it. */
export { firstFilled, maxEmptyPages, walkPages } from "./pages.ts";
/** Resources as YouTube sends them, open to fields and values that are added later. */
export type * from "./resources/index.ts";
/** Operations that take several calls, or that check a rule of YouTube before they call. */
export { addChannelSection } from "./rules/add-channel-section.ts";
export {
  channelCommentsClosed,
  maxCommentChars,
  postComment,
  replyToComment,
} from "./rules/comments.ts";
export { type CommentResult, moderateComments } from "./rules/moderate-comments.ts";
export { setBanner } from "./rules/set-banner.ts";
/** How to recognise a Short. */
export {
  isShortVideo,
  playerBounds,
  shortVideoParts,
} from "./rules/short-video.ts";
/** The playlists that YouTube keeps for every channel. */
export {
  findSpecialList,
  ownerOnlyListIds,
  type SpecialList,
  specialPlaylists,
} from "./rules/special-playlists.ts";
/** Changes some fields of a resource and keeps the others. */
export { type ResourceChange, requireGoodChange, updateResource } from "./rules/update-resource.ts";
/** Picks a size of a picture to show. */
export {
  largeThumbnail,
  listThumbnails,
  type NamedThumbnail,
  smallThumbnail,
} from "./thumbnails.ts";
/** What calls take and answer, derived from the table. */
export type {
  DownloadedFile,
  Method,
  MethodParams,
  MethodResult,
  PagedMethod,
  PagesOptions,
  UploadMedia,
  VideoCallOptions,
  VideoClient,
  WritingMethod,
} from "./types.ts";
