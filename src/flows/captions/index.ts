import type { Action } from "../../discord/index.ts";
/** What `/captions` does beyond a call. */
import { askDownload, download, downloadAs } from "./ask-download.ts";
import { askDelete, remove } from "./delete.ts";
import { listOf, ofVideo } from "./list.ts";
import { update } from "./update.ts";
import { insert } from "./upload.ts";

export { askDownloads } from "./ask-download.ts";
export { questionBeforeDelete } from "./delete.ts";
export { namedCaptions, videoWithCaptions } from "./find.ts";
export { type CaptionFormat, captionFormatOf, captionFormats, captionMedia } from "./format.ts";
export { ofVideo } from "./list.ts";
export { askUpdate } from "./update.ts";
export { askUpload } from "./upload.ts";

/** To be declared with the command. */
export const captionActions: readonly Action<never>[] = [
  ...ofVideo.actions,
  listOf,
  insert,
  update,
  download,
  downloadAs,
  askDownload,
  remove,
  askDelete,
];
