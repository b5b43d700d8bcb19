export { type AbuseReason, abuseReasons } from "./abuse-reasons.ts";
export { buildWorld } from "./build.ts";
export { type Category, categories, categoryChannelId } from "./categories.ts";
export {
  type Comment,
  type CommentStatus,
  countComments,
  findComment,
  findThread,
  isPublished,
  moderateComments,
  type NewComment,
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
export { mintId } from "./ids.ts";
export {
  findProfile,
  hueOf,
  type Person,
  type Profile,
  personChannel,
  personId,
  toPerson,
} from "./people.ts";
export { languageCodes, regionCodes } from "./places.ts";
export { itemId } from "./playlists.ts";
export { publishDue } from "./publishing.ts";
export { seededRandom, stableFraction } from "./random.ts";
export { fill, one, remark } from "./remark.ts";
export { type Localizations, playlistSettings, videoSettings } from "./settings.ts";
export type { CaptionFormat, CaptionTrack, Picture, Section } from "./things.ts";
export { inLanguage } from "./translated.ts";
export type { Channel, Item, Playlist, Video, World } from "./types.ts";
export { heldTexts, spamTexts } from "./unwanted.ts";
export { findPlaylist, historyId, likesId, uploadsId, watchLaterId } from "./uploads.ts";
