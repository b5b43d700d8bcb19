export { addChannelSection } from "./add-channel-section.ts";
export {
  channelCommentsClosed,
  maxCommentChars,
  postComment,
  replyToComment,
} from "./comments.ts";
export { type Moderated, moderateComments } from "./moderate-comments.ts";
export { setBanner } from "./set-banner.ts";
export { isShortVideo, playerBounds, shortVideoParts, videoSeconds } from "./short-video.ts";
export {
  ownersLists,
  type SpecialList,
  specialListOf,
  specialPlaylists,
} from "./special-playlists.ts";
export { type Change, updateResource } from "./update-resource.ts";
