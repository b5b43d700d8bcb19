/** How a comment stands at the video service, of those that a watch may show. */
export type WatchedState = "heldForReview" | "likelySpam" | "published";

/** A channel's comments that are shown in a channel of Discord's. Times are milliseconds since the epoch. */
export interface Watch {
  /** 16 hex digits. */
  readonly id: string;
  /** Discord's channel. */
  readonly channelId: string;
  /** Each comment is a post of its own there. */
  readonly isForum?: true;
  /** The linked channel, by its id at the video service. */
  readonly source: string;
  /** At least one. `published` means all new comments. */
  readonly states: readonly WatchedState[];
  /** Of the published ones only those that hold one of these: a word or phrase, or `/a pattern/`. */
  readonly match?: readonly string[];
  /** How often it is to be looked, where the units allow it. */
  readonly paceMs: number;
  /** From so many new comments at once on, they come as one message with select boxes. */
  readonly digestFrom: number;
  readonly ping?: WatchPing;
  readonly paused?: { readonly at: number; readonly by: string };
  /** Discord user id. */
  readonly addedBy: string;
  readonly addedAt: number;
}

/** Which role is called when comments arrive. */
export interface WatchPing {
  readonly roleId: string;
  /** Not called again sooner. */
  readonly gapMs: number;
  /** Times of day in the guild's time zone, `22:00`, between which nobody is called. */
  readonly quiet?: { readonly from: string; readonly to: string };
}

/** What keeps a watch from working, said once. */
export type TroubleCode =
  | "link_broken"
  | "link_missing"
  | "units_gone"
  | "channel_closed"
  | "channel_gone"
  | "comments_off"
  | "service_failing";

export interface Trouble {
  readonly since: number;
  /** When it passes by itself, where that is known. */
  readonly until?: number;
  /** Whether it has been said. */
  readonly isTold: boolean;
}

/** How far a watch is. Apart from the watch itself, so that who changes one does not undo the other. */
export interface WatchProgress {
  readonly polledAt?: number;
  readonly nextPollAt?: number;
  /** When the lists were last read to their ends. */
  readonly sweptAt?: number;
  /** Polls in a row that brought nothing, and when one brought something last. */
  readonly idlePolls: number;
  readonly foundAt?: number;
  /** Of published comments the newest that was taken in. */
  readonly newestAt?: number;
  readonly pingedAt?: number;
  readonly troubles: Readonly<Partial<Record<TroubleCode, Trouble>>>;
  /** How often in a row polls, messages and drawings failed. */
  readonly failedPolls?: number;
  readonly failedPosts?: number;
  readonly failedDraws?: number;
  /** Nothing is sent before, and nothing drawn anew. */
  readonly postAt?: number;
  readonly drawAt?: number;
  /** A role is still to be called: the message that was to do so failed. */
  readonly owesPing?: true;
  /** Units that its polls spent on a day of Los Angeles. */
  readonly spent?: { readonly day: string; readonly units: number };
}
