import { askToErase, eraseActions } from "./erase.ts";
import { exportRecords } from "./export.ts";

/** What people may see and remove of what is stored about their server. */
export const erasure = { ask: askToErase, export: exportRecords, actions: eraseActions } as const;
