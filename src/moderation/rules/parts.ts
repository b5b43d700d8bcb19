import type { PartOptions } from "../parts.ts";

/** What rules are judged and kept with. */
export type RuleParts = Pick<
  PartOptions,
  "database" | "records" | "video" | "settings" | "tell" | "engine" | "clock" | "random" | "log"
>;
