import { askToErase, eraseActions } from "./erase.ts";
import { exportRecords } from "./export.ts";

/** How people see, export and erase what is stored about their server. */
export const erasure = { ask: askToErase, export: exportRecords, actions: eraseActions } as const;
