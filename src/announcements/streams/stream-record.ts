import type { ReleasedVideo } from "../release.ts";

/** `over`: ended, and its recording can't be watched yet. */
export const streamStages = ["scheduled", "live", "over", "recorded"] as const;
export type StreamStage = (typeof streamStages)[number];

/** What is known of a stream or premiere while it is followed. Times are milliseconds since the epoch. */
export interface FollowedStream {
  readonly stage: StreamStage;
  /** As YouTube last described it; absent once nobody reads it any more, because its data may not be kept for longer. */
  readonly video?: ReleasedVideo | undefined;
  /** When YouTube was last asked about it. */
  readonly readAt: number;
  readonly startsAt?: number | undefined;
  /** The start that was planned when it was first seen. */
  readonly firstStartsAt?: number | undefined;
  readonly startedAt?: number | undefined;
  readonly endedAt?: number | undefined;
  /** The most people who were seen watching at once. */
  readonly peakViewers?: number | undefined;
  /** Since when its recording can be watched. */
  readonly recordedAt?: number | undefined;
  /** The planned start that people were last reminded of. */
  readonly remindedOf?: number | undefined;
  readonly lost?: LostStream | undefined;
  /** It was deleted or hidden, and is there again. */
  readonly isBack?: true | undefined;
  /** It began while nothing was to be announced. */
  readonly isSilent?: true | undefined;
}

/** A stream that YouTube does not show. */
export interface LostStream {
  readonly since: number;
  /** `private`: YouTube says that it is private or unlisted; `gone`: with a key, nobody can tell a deleted video from a private one. */
  readonly why: "private" | "gone";
  /** Whether it was missing twice, so that people are told. */
  readonly isSure?: true | undefined;
}

/** What a message says about a stream. Times are milliseconds since the epoch. */
export interface StreamNotice {
  /**
   * `call`: a short message that it has begun, beside the one that says everything; `earlier`: all that a message says once
   * there is a newer one.
   */
  readonly what: "scheduled" | "reminder" | "live" | "call" | "over" | "cancelled" | "earlier";
  readonly startsAt?: number | undefined;
  /** The start that was planned before. */
  readonly movedFrom?: number | undefined;
  /** It should have begun some time ago. */
  readonly isOverdue?: true | undefined;
  readonly isBack?: true | undefined;
  readonly startedAt?: number | undefined;
  /** How long it was live. */
  readonly lengthMs?: number | undefined;
  readonly peakViewers?: number | undefined;
  readonly isRecorded?: true | undefined;
  readonly lost?: LostStream["why"] | undefined;
  /** Of an earlier message: where the newest one is. */
  readonly newest?: { readonly channelId: string; readonly messageId: string } | undefined;
  /** It is told long after it happened. */
  readonly isLate?: true | undefined;
}

/** `live`: that it has begun, as a short call or as a whole message. */
export const furtherMessages = ["reminder", "live", "over", "cancelled"] as const;
export type FurtherMessage = (typeof furtherMessages)[number];
export type MessageSlot = "card" | FurtherMessage;

/** Discord's event for a stream. `making`: perhaps made; `gone`: people removed it, or Discord refused it. */
export interface StreamEvent {
  readonly state: "making" | "made" | "gone";
  readonly since: number;
  readonly id?: string | undefined;
  /** What it says, as a short text to compare. */
  readonly shown?: string | undefined;
  /** When Discord begins and ends it. */
  readonly startsAt?: number | undefined;
  readonly endsAt?: number | undefined;
  /** Nothing is tried before. */
  readonly retryAt?: number | undefined;
}
