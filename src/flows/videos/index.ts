/** What `/videos` does beyond a call: lists, questions before what can't be taken back, edits, reports. */
export { categories, ratings, reportReasons } from "./catalogues.ts";
export { askDelete, askDeleteOf, deleteNow } from "./delete.ts";
export { detailsNames, detailsPage } from "./details/pages.ts";
export { detailsActions, detailsUses, showDetails } from "./details/show.ts";
export { edit, editActions, showEdit, type VideoChange } from "./edit.ts";
export { type VideoQuery, videoList } from "./list.ts";
export { rate, rateIt } from "./rate.ts";
export { cardFor } from "./read.ts";
export { type Report, report, reportActions } from "./report.ts";
export { showVideo } from "./show.ts";
