import type { ModerationOptions } from "../parts.ts";

/** What rules are judged and kept with. */
export type RuleParts = Pick<
  ModerationOptions,
  "store" | "video" | "settings" | "tell" | "engine" | "clock" | "random" | "log"
>;
