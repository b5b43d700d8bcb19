import type { PartOptions } from "../parts.ts";
import type { DecisionCounts } from "./decision-counts.ts";

export interface DeciderDeps
  extends Pick<
    PartOptions,
    "database" | "jobs" | "records" | "video" | "onRecord" | "clock" | "log"
  > {
  readonly pace: Pick<PartOptions["pace"], "mayFlush">;
}

/** What the parts of this folder share. */
export interface DecideDeps extends DeciderDeps {
  readonly counts: DecisionCounts;
}

/** A linked channel of a guild: its decisions go out one call after the other. */
export interface LinkedChannelRef {
  readonly guildId: string;
  readonly source: string;
}
