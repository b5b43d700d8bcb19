/**
 * Links to videos, playlists and channels, as people paste them: the one place that reads them. Options and menus read
 * texts, moderation rules read the addresses that they find themselves.
 */

/** Lists as people write them. */
export { betweenEntries, listedEntries, listedValues, withoutLabels } from "./copied-text.ts";
/** A channel, by what a link or a text says about it. */
export type { ChannelRef } from "./ids.ts";
/** The address with its percent signs decoded; and what an address leads to. */
export { decodeAddress, placeAt } from "./places.ts";
/** What a text means. */
export {
  channelNamedBy,
  channelText,
  readBareId,
  readChannelRef,
  readCommentId,
  readLinkKind,
  readPlaylistRef,
  readVideoRef,
  videosIn,
} from "./read-links.ts";
