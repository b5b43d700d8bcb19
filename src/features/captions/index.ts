import { askDeleteCaptions, captionsDeleteActions } from "./delete.ts";
import { askDownloadCaptions, captionsDownloadActions } from "./download.ts";
import { captionsListActions, openCaptionsList } from "./find-captions.ts";
import { captionFormats } from "./kinds.ts";
import { askUpdateCaptions, askUploadCaptions, captionsUploadActions } from "./upload.ts";

export { convertedLine } from "./draw.ts";
export { type CaptionMedia, type ConvertedText, readCaptionMedia } from "./format.ts";

/** What `/captions` does in several steps. */
export const captionsFlow = {
  formats: captionFormats,
  openList: openCaptionsList,
  askUpload: askUploadCaptions,
  askUpdate: askUpdateCaptions,
  askDownloads: askDownloadCaptions,
  askDelete: askDeleteCaptions,
  actions: [
    ...captionsListActions,
    ...captionsUploadActions,
    ...captionsDownloadActions,
    ...captionsDeleteActions,
  ],
} as const;
