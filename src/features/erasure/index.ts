import { askToErase, eraseActions } from "./erase.ts";
import { askToEraseAuthor, eraseAuthorActions } from "./erase-author.ts";
import { exportRecords } from "./export.ts";

/** How people see, export and erase what is stored about their server, or about one author of comments. */
export const erasure = {
  ask: askToErase,
  askAboutAuthor: askToEraseAuthor,
  export: exportRecords,
  actions: [...eraseActions, ...eraseAuthorActions],
} as const;
