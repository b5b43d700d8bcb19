/** How videos, channels, playlists and comments are shown, with the next steps that are offered. */

export { channelCard, channelParts } from "./channel.ts";
export {
  type CommentFor,
  commentAddress,
  commentAuthor,
  commentCard,
  commentItem,
  isOwnComment,
  quoteComment,
} from "./comment.ts";
export {
  captionsName,
  formatMoment,
  formatPublished,
  formatSince,
  presentFields,
  unescapeHtml,
  valueName,
  yesNo,
} from "./fields.ts";
export { nextSteps } from "./next-steps.ts";
export { playlistCard, playlistParts } from "./playlist.ts";
export { type DecideState, presses } from "./presses.ts";
export {
  type BeforeAndAfter,
  changedFields,
  changedTranslations,
  describeChange,
  type Setting,
  settingFields,
  translationLanguages,
} from "./settings.ts";
export { type CardFor, cardFor, ownVideoParts, videoCard, videoParts } from "./video.ts";
