import { addMoreVideos, addVideosNow } from "./add.ts";
import { choosePlaylistActions } from "./choose.ts";
import { playlistDeleteActions } from "./delete.ts";
import { playlistEditActions } from "./edit.ts";
import { openItemsActions, playlistItemsList } from "./items-list.ts";
import { moveListed, openMoveForm } from "./move.ts";
import { playlistDetailsAction, playlistListActions } from "./playlists-list.ts";
import { removeEntriesNow, removeListed } from "./remove.ts";

/** What the buttons, selects and forms about playlists start. */
export const playlistActions = [
  ...playlistListActions,
  ...playlistItemsList.actions,
  ...openItemsActions,
  ...choosePlaylistActions,
  ...playlistEditActions,
  ...playlistDeleteActions,
  playlistDetailsAction,
  addVideosNow,
  addMoreVideos,
  openMoveForm,
  moveListed,
  removeListed,
  removeEntriesNow,
] as const;

export { addPastedVideos } from "./add.ts";
export { askForPlaylist, videosInMessage } from "./choose.ts";
export { createPlaylistFromOptions, newPlaylistOptions } from "./create.ts";
export { askDeletePlaylist } from "./delete.ts";
export { editPlaylistFromOptions, playlistEditOptions } from "./edit.ts";
export { openEntries, openItems, openSpecial, openUploads } from "./items-list.ts";
export { entryMoveOptions, moveEntry } from "./move.ts";
export { openPlaylists, playlistListOptions } from "./playlists-list.ts";
export { askRemoveEntries } from "./remove.ts";
export type { OwnersList } from "./special-list.ts";
