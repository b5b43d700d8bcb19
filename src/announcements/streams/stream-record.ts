import type { ReleasedVideo } from "../release.ts";

/** `over`: ended, and its recording can't be watched yet. */
export const streamStages = ["scheduled", "live", "over", "recorded"] as const;
export type StreamStage = (typeof streamStages)[number];

/** What is known of a stream or premiere while it is followed. Times are milliseconds since the epoch. */
export interface FollowedStream {
  readonly stage: StreamStage;
  /** As YouTube last described it; absent once it is no longer read, because YouTube's data may not be kept for longer. */
  readonly video?: ReleasedVideo | undefined;
  /** When YouTube was last asked about it. */
  readonly readAt: number;
  readonly startsAt?: number | undefined;
  /** The start that was planned when it was first seen. */
  readonly firstStartsAt?: number | undefined;
  readonly startedAt?: number | undefined;
  readonly endedAt?: number | undefined;
  /** The highest number of viewers in any read. */
  readonly peakViewers?: number | undefined;
  /** Since when its recording can be watched. */
  readonly recordedAt?: number | undefined;
  /** The planned start that people were last reminded of. */
  readonly remindedOf?: number | undefined;
  readonly lost?: LostStream | undefined;
  /** It was deleted or hidden and is public again. */
  readonly isBack?: true | undefined;
  /** It began while the feed was muted, so it is never announced. */
  readonly isSilent?: true | undefined;
}

/** A stream that YouTube does not show. */
export interface LostStream {
  readonly since: number;
  /** `private`: YouTube says it is private or unlisted. `gone`: deleted or private; with a key alone, the two look the same. */
  readonly why: "private" | "gone";
  /** Set once it was missing in two reads; only then are people told. */
  readonly isSure?: true | undefined;
}

/** What a message says about a stream. Times are milliseconds since the epoch. */
export interface StreamNotice {
  /**
   * `call`: a short message that the stream has begun, in addition to the full one. `earlier`: the one line that is left of a
   * message once there is a newer one.
   */
  readonly what: "scheduled" | "reminder" | "live" | "call" | "over" | "cancelled" | "earlier";
  readonly startsAt?: number | undefined;
  /** The start that was planned before. */
  readonly movedFrom?: number | undefined;
  /** Its planned start passed some time ago, but it has not begun. */
  readonly isOverdue?: true | undefined;
  readonly isBack?: true | undefined;
  readonly startedAt?: number | undefined;
  /** How long it was live. */
  readonly lengthMs?: number | undefined;
  readonly peakViewers?: number | undefined;
  readonly isRecorded?: true | undefined;
  readonly lost?: LostStream["why"] | undefined;
  /** For `earlier`: where the newest message is. */
  readonly newest?: { readonly channelId: string; readonly messageId: string } | undefined;
  /** It is posted long after it happened. */
  readonly isLate?: true | undefined;
}

/** Messages besides the first. `live` says that the stream has begun, in a short or a full message. */
export const furtherMessages = ["reminder", "live", "over", "cancelled"] as const;
export type FurtherMessage = (typeof furtherMessages)[number];
export type MessageSlot = "card" | FurtherMessage;

/** Discord's event for a stream. `making`: it may have been created. `gone`: people removed it, or Discord refused it. */
export interface StreamEvent {
  readonly state: "making" | "made" | "gone";
  readonly since: number;
  readonly id?: string | undefined;
  /** Its content as a short text, to see whether it must be changed. */
  readonly shown?: string | undefined;
  /** When Discord begins and ends it. */
  readonly startsAt?: number | undefined;
  readonly endsAt?: number | undefined;
  /** When to try again at the earliest. */
  readonly retryAt?: number | undefined;
}
