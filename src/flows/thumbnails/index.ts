import { changes } from "./changes.ts";
import { beginning, make, options } from "./make.ts";
import { settings } from "./set.ts";

/** A video's thumbnail made of a cut-out: everybody may make one, managers may set it. */
export const thumbnails = {
  /** What the reply with a cut-out offers. */
  buttons: beginning.buttons,
  options,
  make,
  actions: [...beginning.actions, ...changes.actions, ...settings.actions],
} as const;
