import { askDeleteCaptions, captionsDeleteActions } from "./delete.ts";
import {
  askDownloadCaptions,
  captionsDownloadActions,
  captionsDownloadOptions,
} from "./download.ts";
import { captionsChoice, captionsListActions, openCaptionsList } from "./find-captions.ts";
import {
  askUpdateCaptions,
  askUploadCaptions,
  captionsUpdateOptions,
  captionsUploadActions,
  captionsUploadOptions,
} from "./upload.ts";

export { convertedLine } from "./draw.ts";
export { type CaptionMedia, type ConvertedText, readCaptionMedia } from "./format.ts";

/** What `/captions` does in several steps. */
export const captionsFlow = {
  openList: openCaptionsList,
  uploadOptions: captionsUploadOptions,
  askUpload: askUploadCaptions,
  updateOptions: captionsUpdateOptions,
  askUpdate: askUpdateCaptions,
  downloadOptions: captionsDownloadOptions,
  askDownloads: askDownloadCaptions,
  choice: captionsChoice,
  askDelete: askDeleteCaptions,
  actions: [
    ...captionsListActions,
    ...captionsUploadActions,
    ...captionsDownloadActions,
    ...captionsDeleteActions,
  ],
} as const;
