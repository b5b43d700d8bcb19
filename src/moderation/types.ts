import type { LimitError } from "../errors.ts";
import type {
  Actor,
  AuditEntry,
  AuthorHistory,
  CommentRule,
  DecisionKind,
  DecisionOrigin,
  Digest,
  HeldComment,
  ItemRef,
  QueuedComment,
  RuleSwitchOff,
  Watch,
  WatchFailure,
  WatchFailureCode,
} from "./records/index.ts";
import type { WeekSummary } from "./summary/summarise-week.ts";

/** The part of a watch that people choose. */
export type WatchSettings = Omit<Watch, "id" | "addedAt" | "addedBy" | "paused" | "ended">;

/** Which channel's comments a watch shows, and where. */
export type WatchPlace = Pick<WatchSettings, "channelId" | "isForum" | "source">;

/** What people choose about a watch besides its place. */
export type WatchChoice = Omit<WatchSettings, keyof WatchPlace>;

/** Returns the new choice for the stored watch, while nobody else can change it; may be called several times. */
export type WatchChange<Stored = Watch> = (stored: Stored) => WatchChoice;

/** Times are milliseconds since the epoch. */
export interface WatchStatus {
  readonly watch: Watch;
  readonly polledAt?: number | undefined;
  readonly nextPollAt?: number | undefined;
  /** How often it polls at present, and why that is less often than people chose. */
  readonly paceMs: number;
  readonly slowedBy?: "units" | "quiet" | undefined;
  /** Quota units that its polls cost per day at that pace, and what they have cost today. */
  readonly unitsADay: number;
  readonly unitsToday: number;
  /** Comments that wait for a decision, snoozed ones included. */
  readonly waiting: number;
  /** When the oldest waiting comment was written. */
  readonly oldestAt?: number | undefined;
  readonly troubles: Readonly<Partial<Record<WatchFailureCode, WatchFailure>>>;
  /** Only published comments are read at present, with the server's key. */
  readonly isByKey: boolean;
}

export interface DecideRequest {
  readonly items: readonly ItemRef[];
  readonly kind: DecisionKind;
  readonly by: Actor;
  readonly from: DecisionOrigin;
  /** When it is sent; soon, when absent. Decisions that share a time are a batch. */
  readonly dueAt?: number | undefined;
}

/** A kind of decision as people count it: a published comment that is approved is kept, and nothing is sent. */
export type CountedKind = DecisionKind | "keep";

/** Decisions of one person that are due at the same time. */
export interface DecisionBatch {
  readonly userId: string;
  readonly dueAt: number;
}

/**
 * The result of deciding about one comment. `pending`: this decision was accepted and will be sent. `taken`: somebody else
 * decided first; see `item`. `over`: it is already settled. `absent`: there is no such comment. `often`: it was decided about
 * too often today; see `error`. `unlinked`: its channel is not linked, so nothing can be decided from here.
 */
export interface DecisionResult {
  readonly ref: ItemRef;
  readonly state: "pending" | "taken" | "over" | "absent" | "often" | "unlinked";
  readonly error?: LimitError | undefined;
  /** The comment as it is stored now. */
  readonly item?: HeldComment | undefined;
}

export interface DigestView {
  readonly digest: Digest;
  /** Its comments that are still stored, in the order of the digest. */
  readonly items: readonly HeldComment[];
}

/** A decision that was sent to YouTube directly, by a command, and not through the queue. */
export interface DirectDecision
  extends Omit<AuditEntry, "id" | "at" | "act" | "settledAt" | "seenAt" | "reason"> {
  readonly kind: DecisionKind | "replied";
}

/** The result of trying a rule on recent comments. */
export interface DryRun {
  /** How many comments it was tried on, and how many of those are published. */
  readonly tried: number;
  readonly triedPublished: number;
  /** Comments that the rule matches, newest first. */
  readonly hits: readonly {
    readonly comment: QueuedComment;
    /** What matched, as people read it: a word, a pattern, an address, a name, `3 ×`. */
    readonly found: string;
    /** Why the rule would leave it alone nevertheless. */
    readonly spared?: "channel" | "member" | "author" | undefined;
  }[];
  /** The server spares channel members, but the list of members could not be read. */
  readonly isMembersUnread: boolean;
}

export interface RuleMatch {
  readonly rule: CommentRule;
  /** As in `DryRun`. */
  readonly found: string;
}

export type RuleDraft = Pick<CommentRule, "name" | "test" | "does" | "decision">;

declare module "../channel-messages.ts" {
  interface NotificationFacts extends ModerationNotifications {}
}

/** Facts of moderation's notifications, by name; `src/features/watches` and `src/features/rules` turn them into messages. */
export interface ModerationNotifications {
  "held-card": CardFacts;
  "held-digest": DigestFacts;
  /** An example card, without a real comment. */
  "watch-sample": { readonly guildId: string; readonly watch: Watch; readonly by: string };
  /** In the line above a card without buttons, because its watch has ended. */
  "watch-closed": {
    readonly guildId: string;
    readonly watch: Watch;
    readonly movedTo?: string | undefined;
  };
  "watch-trouble": WatchFailureFacts;
  "watch-well": WatchFailureFacts;
  /** Sent to the server: the bot can no longer write in the watch's channel, or the channel is gone. */
  "watch-lost": WatchFailureFacts;
  /** Sent to the server: somebody asks for the consent of the owner of a watch's channel. */
  "watch-consent": {
    readonly guildId: string;
    readonly watch: Watch;
    readonly by: string;
  };
  /** Sent to the log channel once a day: the cap is reached, and rules only give advice for the rest of the day. */
  "rules-capped": {
    readonly guildId: string;
    /** The log channel, or else the watch's; absent if that is a forum. */
    readonly channelId?: string | undefined;
    /** Somebody has agreed that everyone may read what is posted there. */
    readonly mayBePublic?: true | undefined;
    readonly dailyCap: number;
    /** `2026-01-31`. */
    readonly day: string;
  };
  /** Sent to the log channel: a rule takes too long and was switched off. */
  "rule-switched-off": {
    readonly guildId: string;
    /** As in `rules-capped`. */
    readonly channelId?: string | undefined;
    readonly mayBePublic?: true | undefined;
    readonly rule: Pick<CommentRule, "id" | "name">;
    readonly why: RuleSwitchOff["why"];
  };
  /**
   * A list could not be refreshed for days, the server that shared it stopped sharing, or its new copy is not used because it
   * would match too many comments.
   */
  "list-trouble": {
    readonly guildId: string;
    readonly list: { readonly id: string; readonly name: string };
    readonly why: "failing" | "withdrawn" | "too_wide";
    /** For `too_wide`: the share of the server's recent comments that it would match, from 0 to 1. */
    readonly share?: number | undefined;
  };
  /** Once a week, where the server wants it. */
  "week-summary": {
    readonly guildId: string;
    readonly channelId: string;
    /** Somebody has agreed that everyone may read it. */
    readonly mayBePublic?: true | undefined;
    readonly week: WeekSummary;
  };
  /** What rules did by themselves, in one run for one watch. */
  "rule-acts": {
    readonly guildId: string;
    /** The handle of the message's buttons. */
    readonly handle: string;
    readonly watch: Watch;
    readonly acts: readonly {
      readonly item: HeldComment;
      readonly rule: Pick<CommentRule, "id" | "name">;
    }[];
    readonly logChannelId?: string | undefined;
  };
}

export interface CardFacts {
  readonly guildId: string;
  readonly watch: Watch;
  readonly item: HeldComment;
  readonly history?: AuthorHistory | undefined;
}

export interface DigestFacts extends DigestView {
  readonly guildId: string;
  readonly watch: Watch;
}

export interface WatchFailureFacts {
  readonly guildId: string;
  readonly watch: Watch;
  readonly code: WatchFailureCode;
  /** Facts of a notification are stored in a job, so this keeps its first name. */
  readonly trouble: WatchFailure;
}
