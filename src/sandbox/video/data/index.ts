export { buildVideoState } from "./build-state.ts";
export { fillSlots, heldTexts, pickOne, spamTexts, writeRemark } from "./comment-texts.ts";
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
export { findPlaylist, itemId, likesId, uploadsId } from "./playlists.ts";
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
export {
  type Category,
  categoryChannelId,
  inLanguage,
  languageCodes,
  regionCodes,
  sampleAbuseReasons,
  sampleCategories,
} from "./site-lists.ts";
export type { VideoState } from "./state.ts";
export { findProfile, sampleUserId, userChannel } from "./users.ts";
