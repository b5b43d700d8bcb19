import { changes } from "./changes.ts";
import { beginning, make, options } from "./make.ts";
import { settings } from "./set.ts";

/** A video's thumbnail made of a cut-out: everybody may make one, managers may set it. */
export const thumbnails = {
  /** Those below a cut-out. */
  buttons: beginning.buttons,
  options,
  make,
  actions: [...beginning.actions, ...changes.actions, ...settings.actions],
} as const;
