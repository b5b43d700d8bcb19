/** The moderation status at YouTube of the comments that a watch can show. */
export type WatchedState = "heldForReview" | "likelySpam" | "published";

/** Shows comments of a YouTube channel in a Discord channel. Times are milliseconds since the epoch. */
export interface Watch {
  /** 16 hex digits. */
  readonly id: string;
  /** The Discord channel. */
  readonly channelId: string;
  /** The Discord channel is a forum: each comment becomes a post. */
  readonly isForum?: true | undefined;
  /** Somebody agreed that everyone in the server reads the Discord channel. Without that, nothing is posted where they can. */
  readonly mayBePublic?: true | undefined;
  /** The id of the YouTube channel, which is linked unless `isKeyOnly`. */
  readonly source: string;
  /** At least one. `published` means all new comments. */
  readonly states: readonly WatchedState[];
  /** Published comments are shown only if they contain one of these: a word or phrase, or `/a pattern/`. */
  readonly match?: readonly string[] | undefined;
  /** Published comments are shown only if a rule finds something in them, or if they match. */
  readonly isRuledOnly?: true | undefined;
  /** Its channel is not linked, so only published comments are read, with the server's key. Polls keep it up to date. */
  readonly isKeyOnly?: true | undefined;
  /** The title of a channel that is not linked, and when it was read. */
  readonly title?: string | undefined;
  readonly titleReadAt?: number | undefined;
  /** How often it polls, if the quota units allow it. */
  readonly paceMs: number;
  /** If at least this many comments arrive at once, they are shown in one message with select menus. */
  readonly digestFrom: number;
  readonly ping?: WatchPing | undefined;
  readonly paused?: { readonly at: number; readonly by: string } | undefined;
  /** Discord user id. */
  readonly addedBy: string;
  readonly addedAt: number;
  /** It is over: nobody sees it any more. Its record stays until its cards are closed and its decisions are sent. */
  readonly ended?: WatchEnd | undefined;
}

/** The watch as it reads with a key alone: only what is published, unless everything was asked for only what a rule finds. */
export function toPublicWatch(watch: Watch): Watch {
  const isChosen = watch.states.includes("published");
  const isRuledOnly = isChosen ? watch.isRuledOnly : true;
  return { ...watch, states: ["published"], isRuledOnly };
}

export interface WatchEnd {
  readonly at: number;
  /** The Discord channel where the comments are shown from then on. */
  readonly movedTo?: string | undefined;
  /** Its messages are deleted, not only closed. */
  readonly deletes?: true | undefined;
}

/** The role that is pinged when comments arrive. */
export interface WatchPing {
  readonly roleId: string;
  /** The least time between two pings. */
  readonly gapMs: number;
  /** Times of day in the server's time zone, such as `22:00`, between which nobody is pinged. */
  readonly quiet?: { readonly from: string; readonly to: string } | undefined;
}

/** What keeps a watch from working. People are notified once. */
export type WatchFailureCode =
  | "link_broken"
  | "link_missing"
  | "key_broken"
  | "units_gone"
  | "channel_closed"
  | "channel_gone"
  | "channel_public"
  | "comments_off"
  | "service_failing";

export interface WatchFailure {
  readonly since: number;
  /** When it will pass by itself, if known. */
  readonly until?: number | undefined;
  /** Whether people have been notified. */
  readonly isTold: boolean;
  /** Of a link: meanwhile published comments are read with the server's key. */
  readonly readsByKey?: true | undefined;
}

/** How far a watch's work is. Stored apart from the watch, so that changing one does not undo a change of the other. */
export interface WatchProgress {
  readonly polledAt?: number | undefined;
  readonly nextPollAt?: number | undefined;
  /** When the lists were last read to their ends. */
  readonly sweptAt?: number | undefined;
  /** How many polls in a row found nothing new, and when one last did. */
  readonly idlePolls: number;
  readonly foundAt?: number | undefined;
  /** When the newest published comment in the queue was written. */
  readonly newestAt?: number | undefined;
  readonly pingedAt?: number | undefined;
  /** When somebody last asked for the consent of the channel's owner. */
  readonly askedAt?: number | undefined;
  readonly troubles: Readonly<Partial<Record<WatchFailureCode, WatchFailure>>>;
  /** How often in a row polls, posts and redraws failed. */
  readonly failedPolls?: number | undefined;
  readonly failedPosts?: number | undefined;
  readonly failedDraws?: number | undefined;
  /** When posting and redrawing may be tried again. */
  readonly postAt?: number | undefined;
  readonly drawAt?: number | undefined;
  /** A role still has to be pinged, because the message with the ping failed. */
  readonly owesPing?: true | undefined;
  /** Quota units that its polls spent on one day, by the time of Los Angeles. */
  readonly spent?: { readonly day: string; readonly units: number } | undefined;
}
