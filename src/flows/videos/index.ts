import type { Action } from "../../discord/index.ts";
import { categories, ratings, reportReasons } from "./catalogues.ts";
import { askDeleteOf, deleteNow } from "./delete.ts";
import { detailsActions } from "./details/show.ts";
import { editActions } from "./edit.ts";
import { videoList } from "./list.ts";
import { rateIt } from "./rate.ts";
import { reportActions } from "./report.ts";
import { details } from "./show.ts";

/** What `/videos` does beyond a call: lists, questions before what can't be taken back, edits, reports. */
export { openCategories, ratings, reportReasons } from "./catalogues.ts";
export { askDelete } from "./delete.ts";
export { detailsNames } from "./details/pages.ts";
export { detailsUses, showDetails } from "./details/show.ts";
export { edit } from "./edit.ts";
export { openList } from "./list.ts";
export { rate } from "./rate.ts";
export { report } from "./report.ts";
export { showVideo } from "./show.ts";

/** What the buttons, selects and forms about videos start. */
export const videoActions: readonly Action<never>[] = [
  details,
  askDeleteOf,
  deleteNow,
  rateIt,
  ...detailsActions,
  ...editActions,
  ...reportActions,
  ...videoList.actions,
  ...ratings.actions,
  ...categories.actions,
  ...reportReasons.actions,
];
