export { askedParts, partFields } from "./asked-parts.ts";
export { channelCard, channelParts } from "./channel.ts";
export {
  authorOf,
  type CommentFor,
  commentCard,
  commentItem,
  isOwnComment,
  quoteOf,
} from "./comment.ts";
export {
  captionsName,
  moment,
  named,
  present,
  published,
  since,
  yesNo,
} from "./fields.ts";
export { unescapeHtml } from "./numbers.ts";
export { playlistCard, playlistParts } from "./playlist.ts";
export {
  type BeforeAndAfter,
  changedFields,
  changedTranslations,
  describeChange,
  type Setting,
  settingFields,
  translatedInto,
} from "./settings.ts";
export { type CardFor, cardFor, ownVideoParts, videoCard, videoParts } from "./video.ts";
