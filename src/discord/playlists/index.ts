import { addNow } from "./add.ts";
import { chooseActions } from "./choose.ts";
import { editActions } from "./edit.ts";
import { listActions } from "./lists.ts";
import { removeNow } from "./remove.ts";

/** What the buttons, selects and forms about playlists start. */
export const playlistActions = [
  ...listActions,
  ...chooseActions,
  ...editActions,
  addNow,
  removeNow,
] as const;

export { add } from "./add.ts";
export { chooser } from "./choose.ts";
export { create } from "./create.ts";
export { cardOf, edit, offerForm, questionDelete } from "./edit.ts";
export { videosOfMessage } from "./in-message.ts";
export { openItems, openLikes, openUploads, playlistsList } from "./lists.ts";
export { move } from "./move.ts";
export { questionRemove } from "./remove.ts";
