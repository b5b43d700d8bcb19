import type { GuildNamespace } from "../guild-records.ts";
import type { FeedRows, ModerationRows } from "../types.ts";

/** Under which name the database keeps which records. */
export const moderationNamespaces = {
  watches: "watch",
  progress: "progress",
  items: "item",
  digests: "digest",
  authors: "author",
  audit: "audit",
  rules: "rules",
  replies: "reply",
} as const satisfies Record<keyof ModerationRows, GuildNamespace>;

export const feedNamespaces = {
  feeds: "feed",
  progress: "feed-progress",
  announcements: "announcement",
} as const satisfies Record<keyof FeedRows, GuildNamespace>;
