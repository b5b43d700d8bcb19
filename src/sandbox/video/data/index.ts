export { type AbuseReason, sampleAbuseReasons } from "./abuse-reasons.ts";
export { buildVideoState } from "./build-state.ts";
export { type Category, categoryChannelId, sampleCategories } from "./categories.ts";
export { fillSlots, pickOne, writeRemark } from "./comment-texts.ts";
export {
  findStoredComment,
  findThread,
  isPublished,
  seenLate,
  setModerationStatus,
  withdrawComment,
  writeComment,
} from "./comments.ts";
export { addMembership, addSubscription, subscriptionId } from "./community.ts";
export { inLanguage, languageCodes, regionCodes } from "./languages.ts";
export { findPlaylist, historyId, itemId, likesId, uploadsId, watchLaterId } from "./playlists.ts";
export { mintId, seededRandom, stableFraction } from "./random.ts";
export type {
  CaptionFileFormat,
  StoredCaptionTrack,
  StoredChannel,
  StoredComment,
  StoredCommentStatus,
  StoredCommentThread,
  StoredLevel,
  StoredLocalizations,
  StoredMembership,
  StoredPicture,
  StoredPlaylist,
  StoredPlaylistItem,
  StoredSection,
  StoredSubscription,
  StoredUser,
  StoredVideo,
} from "./records.ts";
export { defaultCategory, emptyPlaylistSettings, newVideo } from "./settings.ts";
export type { VideoState } from "./state.ts";
export { heldTexts, spamTexts } from "./unwanted-texts.ts";
export { findProfile, hueOf, sampleUserId, toUser, userChannel } from "./users.ts";
