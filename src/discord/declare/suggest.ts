import type { Rank } from "../rank.ts";
import type { CommandInfo, RequestInfo } from "./request-info.ts";
import type { ForumTag } from "./text-channel.ts";

export interface SuggestedChoice<T extends string | number = string | number> {
  readonly name: string;
  readonly value: T;
}

/**
 * Suggests choices for what was typed so far; at most 25 are shown. `C` is the context that it gets; this room knows only
 * its `SuggestionContext`.
 */
export type Suggest<C = never> = (typed: string, ctx: C) => Promise<readonly SuggestedChoice[]>;

/** What every suggestion knows. It has little time, and no way to fail loudly. */
export interface SuggestionContext extends RequestInfo {
  /** Suggestions are seen by one person only, so private data depends on their rank. */
  readonly rank: Rank;
  /** The other options' values so far, as they were typed. */
  readonly others: Readonly<Record<string, string>>;
  /** The name of a channel of the server; undefined where it can't be read. */
  channelName(channelId: string): Promise<string | undefined>;
  /** The tags of a forum of the server; none where they can't be read. */
  forumTags(channelId: string): Promise<readonly ForumTag[]>;
  /** Every command that can be typed, by its path, with the rank that it takes. */
  readonly commands: readonly CommandInfo[];
  readonly signal: AbortSignal;
}
