import type { FeatureAction } from "../declarations/index.ts";
import { askDeleteVideoAction, deleteVideoNow } from "./delete.ts";
import { detailsActions, videoDetailsAction } from "./details/show.ts";
import { videoEditActions } from "./edit.ts";
import { videoCategoryList, videoList } from "./list.ts";
import { rateVideoAction, videoRatings } from "./ratings.ts";
import { reportActions, reportReasons } from "./report.ts";

/** What `/videos` does in several steps: lists, questions before what can't be undone, edits, reports. */
export { askDeleteVideo } from "./delete.ts";
export { detailsPageNames } from "./details/pages.ts";
export { detailsUses, showVideo, showVideoDetails } from "./details/show.ts";
export { editVideo, videoEditOptions } from "./edit.ts";
export {
  openVideoCategories,
  openVideoList,
  videoCategoryOptions,
  videoListOptions,
} from "./list.ts";
export { rateVideo, videoRatings } from "./ratings.ts";
export { reportReasons, reportVideoFromOptions, videoReportOptions } from "./report.ts";

/** What the buttons, selects and forms about videos start. */
export const videoActions: readonly FeatureAction<never>[] = [
  videoDetailsAction,
  askDeleteVideoAction,
  deleteVideoNow,
  rateVideoAction,
  ...detailsActions,
  ...videoEditActions,
  ...reportActions,
  ...videoList.actions,
  ...videoRatings.actions,
  ...videoCategoryList.actions,
  ...reportReasons.actions,
];
