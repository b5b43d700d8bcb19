import type { OptionInput } from "../../../src/sandbox/index.ts";

/** What is typed into an option or into `extra`, by its name or by the command's path and its name. */
export const chatValues: Readonly<Record<string, OptionInput>> = {
  "channel": "@lowtidemusic",
};
