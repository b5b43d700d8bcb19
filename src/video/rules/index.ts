export {
  addChannelSection,
  maxChannelSections,
  type NewSection,
  type SectionAdded,
} from "./add-channel-section.ts";
export {
  channelCommentsClosed,
  maxCommentChars,
  type NewChannelComment,
  type NewComment,
  type NewReply,
  postComment,
  replyToComment,
} from "./comments.ts";
export {
  type Decision,
  defaultSearchUnits,
  type Moderated,
  type ModerateOptions,
  moderateComments,
} from "./moderate-comments.ts";
export { type BannerSet, setBanner } from "./set-banner.ts";
export { isShortVideo, playerBounds, shortVideoParts, videoSeconds } from "./short-video.ts";
export {
  ownersLists,
  type SpecialList,
  type SpecialPlaylists,
  specialListOf,
  specialPlaylists,
} from "./special-playlists.ts";
export { type Change, type Updated, type UpdateMethod, updateResource } from "./update-resource.ts";
