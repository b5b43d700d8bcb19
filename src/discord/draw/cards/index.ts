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
export { named, present, published, since } from "./fields.ts";
export { clockTime, shortNumber, unescapeHtml } from "./numbers.ts";
export { playlistCard, playlistParts } from "./playlist.ts";
export { largeThumbnail, smallThumbnail } from "./thumbnail.ts";
export { type CardFor, ownVideoParts, videoCard, videoParts } from "./video.ts";
