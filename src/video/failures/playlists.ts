import { access, input, isThere, type KnownFailures } from "./known.ts";

const onSite = "only on its own site and in its own app. Open it there.";

/** Playlists, their items, and the service's own lists. */
export const playlistFailures: KnownFailures = {
  playlistNotFound: input("That playlist can't be found. It may be private or deleted."),
  playlistItemNotFound: input("That entry is no longer in the playlist. Open the playlist anew."),
  playlistForbidden: access(
    "That playlist belongs to somebody else, or is private. Its owner can change or share it.",
  ),
  playlistItemsNotAccessible: access(
    "Only the playlist's owner can change what is in it. Link the channel that it belongs to.",
  ),
  "playlistItemsNotAccessible playlistItems.list": access(
    "This playlist is private. Only its owner can open it.",
  ),
  watchHistoryNotAccessible: access(`YouTube shows the watch history ${onSite}`),
  watchLaterNotAccessible: access(`YouTube shows Watch later ${onSite}`),
  playlistContainsMaximumNumberOfVideos: access(
    "The playlist is full. Remove something first or make another one.",
  ),
  videoAlreadyInPlaylist: isThere("The video is already in the playlist; nothing had to be done."),
  maxPlaylistExceeded: input(
    "The channel has as many playlists as it can have. Delete one first.",
    "playlists_full",
  ),
  invalidContentDetails: input("The note of the entry is too long: 280 characters are the most."),
  invalidPlaylistItemPosition: input("There is no such place in the playlist. Choose a lower one."),
  manualSortRequired: input(
    "This playlist sorts itself. Set its order to manual on the site, then choose places.",
  ),
  invalidResourceType: input("Only videos can be put into a playlist. Choose a video."),
  playlistIdRequired: input("Choose the playlist."),
  resourceIdRequired: input("Choose the video."),
  playlistOperationUnsupported: input(
    "This list is kept by the service and can't be changed from here.",
  ),
  "playlistOperationUnsupported playlistItems.list": input("This list can't be read from outside."),
  invalidPlaylistSnippet: input(
    "The playlist's title or description is not accepted. Change it and try again.",
  ),
  playlistTitleRequired: input("A playlist needs a title. Give it one."),
};
