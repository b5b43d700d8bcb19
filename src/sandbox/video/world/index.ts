export { type AbuseReason, abuseReasons } from "./abuse-reasons.ts";
export { buildWorld } from "./build.ts";
export { type Category, categories, categoryChannelId } from "./categories.ts";
export {
  type Comment,
  type CommentStatus,
  findComment,
  findThread,
  isPublished,
  moderateComments,
  seenLate,
  type Thread,
  withdrawComment,
  writeComment,
} from "./conversation.ts";
export {
  follow,
  join,
  type Level,
  type Membership,
  type Subscription,
  subscriptionId,
} from "./fellowship.ts";
export { inLanguage, languageCodes, regionCodes } from "./languages.ts";
export {
  findProfile,
  hueOf,
  type Person,
  personChannel,
  personId,
  toPerson,
} from "./people.ts";
export { itemId } from "./playlists.ts";
export { mintId, seededRandom, stableFraction } from "./random.ts";
export { fill, one, remark } from "./remark.ts";
export { defaultCategory, type Localizations, newVideo, playlistSettings } from "./settings.ts";
export { findPlaylist, historyId, likesId, uploadsId, watchLaterId } from "./special-lists.ts";
export type { CaptionFormat, CaptionTrack, Picture, Section } from "./things.ts";
export type { Channel, Item, Playlist, Video, World } from "./types.ts";
export { heldTexts, spamTexts } from "./unwanted.ts";
