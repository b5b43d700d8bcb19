import { addNow } from "./add.ts";
import { chooseActions } from "./choose.ts";
import { deleteActions } from "./delete.ts";
import { details } from "./details.ts";
import { editActions } from "./edit.ts";
import { itemsList, openActions } from "./items-list.ts";
import { playlistsActions } from "./playlists-list.ts";
import { removeNow } from "./remove.ts";

/** What the buttons, selects and forms about playlists start. */
export const playlistActions = [
  ...playlistsActions,
  ...itemsList.actions,
  ...openActions,
  ...chooseActions,
  ...editActions,
  ...deleteActions,
  details,
  addNow,
  removeNow,
] as const;

export { add } from "./add.ts";
export { chooser } from "./choose.ts";
export { questionDelete } from "./delete.ts";
export { createFromOptions } from "./details.ts";
export { editFromOptions } from "./edit.ts";
export { videosOfMessage } from "./in-message.ts";
export { openEntries, openItems, openSpecial, openUploads } from "./items-list.ts";
export { move } from "./move.ts";
export { openPlaylists } from "./playlists-list.ts";
export { questionRemove } from "./remove.ts";
export type { WatchedList } from "./special.ts";
