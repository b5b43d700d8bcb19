/** Held comments: read, shown to people, decided, kept on record. */

export { createModeration } from "./create-moderation.ts";
export type { Clock, ModerationOptions } from "./parts.ts";
export type * from "./types.ts";
