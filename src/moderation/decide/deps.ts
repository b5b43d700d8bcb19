import type { ModerationPartDeps } from "../deps.ts";
import type { DecisionCounts } from "./decision-counts.ts";

export interface DeciderDeps
  extends Pick<
    ModerationPartDeps,
    "database" | "jobs" | "records" | "video" | "onRecord" | "clock" | "log"
  > {
  readonly pace: Pick<ModerationPartDeps["pace"], "mayFlush" | "findShortage">;
}

export interface DecideDeps extends DeciderDeps {
  readonly counts: DecisionCounts;
}

/** A guild's linked channel. Its decisions are sent one call after the other. */
export interface LinkedChannelRef {
  readonly guildId: string;
  readonly source: string;
}
