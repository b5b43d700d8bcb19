export { askedParts, partColumns, partFields, partLines } from "./asked-parts.ts";
export { captionsName } from "./captions.ts";
export { channelCard, channelParts } from "./channel.ts";
export {
  authorOf,
  type CommentFor,
  commentCard,
  commentItem,
  isOwnComment,
  quoteOf,
} from "./comment.ts";
export { moment, named, present, published, since, yesNo } from "./fields.ts";
export { clockTime, shortNumber, unescapeHtml } from "./numbers.ts";
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
export { type CardFor, ownVideoParts, videoCard, videoParts } from "./video.ts";
