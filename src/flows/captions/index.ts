import type { Action } from "../../discord/index.ts";
import { askDelete, remove } from "./delete.ts";
/** What `/captions` does beyond a call. */
import { askDownload, download, downloadAs } from "./download.ts";
import { listOf, ofVideo } from "./list.ts";
import { insert, update } from "./upload.ts";

export { questionBeforeDelete } from "./delete.ts";
export { askDownloads } from "./download.ts";
export { namedCaptions, videoWithCaptions } from "./find.ts";
export { type CaptionFormat, captionFormatOf, captionFormats, captionMedia } from "./format.ts";
export { ofVideo } from "./list.ts";
export { askUpdate, askUpload } from "./upload.ts";

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
