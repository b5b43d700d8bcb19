import type { AuditLog, AuthorBook } from "../audit/index.ts";
import type { Announcer, Items, ModerationOptions, Pace } from "../parts.ts";
import type { DecisionCounts } from "./decision-counts.ts";

export interface DeciderParts
  extends Pick<ModerationOptions, "store" | "video" | "onRecord" | "clock" | "random" | "log"> {
  readonly items: Items;
  readonly announcer: Announcer;
  /** Decisions may spend whatever is left when absent. */
  readonly pace?: Pace;
  /** Told why decisions did not get through, where that concerns all of a linked channel's. Never throws. */
  readonly troubled?: (guildId: string, source: string, error: Error) => void;
}

/** What the parts of this folder share. */
export interface DecideParts extends DeciderParts {
  readonly audit: AuditLog;
  readonly authors: AuthorBook;
  readonly watches: WatchBook;
  readonly counts: DecisionCounts;
}

/** Which linked channel a watch is about, and which others are about the same one. */
export interface WatchBook {
  /** Undefined where there is no such watch. @throws ServiceError `store_unavailable`. */
  sourceOf(guildId: string, watchId: string): Promise<string | undefined>;
  /** Ids of all watches of a linked channel. @throws ServiceError `store_unavailable`. */
  watching(guildId: string, source: string): Promise<readonly string[]>;
}

/** A linked channel of a guild: its decisions go out one after the other. */
export interface LineAt {
  readonly guildId: string;
  readonly source: string;
}
