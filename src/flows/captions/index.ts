import { askDelete, deleteActions } from "./delete.ts";
import { askDownloads, downloadActions } from "./download.ts";
import { captionFormats } from "./format.ts";
import { listActions, openList } from "./list.ts";
import { askUpdate, askUpload, uploadActions } from "./upload.ts";

/** What `/captions` does beyond a call. */
export const captions = {
  formats: captionFormats,
  openList,
  askUpload,
  askUpdate,
  askDownloads,
  askDelete,
  actions: [...listActions, ...uploadActions, ...downloadActions, ...deleteActions],
} as const;
