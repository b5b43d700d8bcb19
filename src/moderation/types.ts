import type { LimitError } from "../errors.ts";
import type {
  Actor,
  AuthorHistory,
  DecidedFrom,
  DecisionKind,
  Digest,
  HeldComment,
  ItemRef,
  QueuedComment,
  Rule,
  RuleOff,
  Trouble,
  TroubleCode,
  Watch,
} from "./records/index.ts";

/** What of a watch people set; the rest is given. */
export type WatchSetting = Omit<Watch, "id" | "addedAt" | "addedBy" | "paused">;

/** Times are milliseconds since the epoch. */
export interface WatchStatus {
  readonly watch: Watch;
  readonly polledAt?: number | undefined;
  readonly nextPollAt?: number | undefined;
  /** How often it looks at present, and why not as often as it was asked to. */
  readonly paceMs: number;
  readonly slowedBy?: "units" | "quiet" | undefined;
  /** What its polls cost a day at that pace, and what they have cost today. */
  readonly unitsADay: number;
  readonly unitsToday: number;
  /** Comments that wait for a decision, put off ones included. */
  readonly waiting: number;
  /** When the one that has waited longest was written. */
  readonly oldestAt?: number | undefined;
  readonly troubles: Readonly<Partial<Record<TroubleCode, Trouble>>>;
}

export interface DecideRequest {
  readonly items: readonly ItemRef[];
  readonly kind: DecisionKind;
  readonly by: Actor;
  readonly from: DecidedFrom;
}

/**
 * What came of deciding about one. `pending`: it is this one's decision now. `taken`: somebody was first, as `item`
 * tells. `over`: there is nothing to decide any more. `absent`: nobody knows it. `often`: it was decided about too often
 * today, as `error` tells.
 */
export interface Decided {
  readonly ref: ItemRef;
  readonly state: "pending" | "taken" | "over" | "absent" | "often";
  readonly error?: LimitError;
  /** As it is now. */
  readonly item?: HeldComment;
}

export interface DigestView {
  readonly digest: Digest;
  /** In its order, those that are still known. */
  readonly items: readonly HeldComment[];
}

/** A decision that went to the service on another way than the queue. */
export interface Settled {
  readonly commentId: string;
  readonly kind: DecisionKind | "replied";
  readonly by: Actor;
  readonly from: DecidedFrom;
  readonly answer: string;
  readonly source: string;
  readonly videoId?: string | undefined;
  readonly authorId?: string | undefined;
  readonly authorName?: string | undefined;
  readonly text?: string | undefined;
}

/** What a rule would do to which comments. */
export interface DryRun {
  /** How many comments it was tried on, and how many of those are published. */
  readonly tried: number;
  readonly triedPublished: number;
  /** In the order they were written, newest first. */
  readonly hits: readonly {
    readonly comment: QueuedComment;
    /** What it was found by, as people read it: a word, a pattern, an address, a name, `3 ×`. */
    readonly found: string;
    /** Why it is spared, where it is. */
    readonly spared?: "channel" | "member" | "author";
  }[];
  /** Members are to be spared, and nobody can tell who they are. */
  readonly isMembersUnread: boolean;
}

/** What a rule says of one text. */
export interface RuleHit {
  readonly rule: Rule;
  /** As in `DryRun`. */
  readonly found: string;
}

export type RuleDraft = Pick<Rule, "name" | "test" | "does" | "decision">;

/** Facts of the events that the queue tells, by name; `src/flows/watching` draws them. */
export interface ModerationEvents {
  "held-card": CardFacts;
  "held-digest": DigestFacts;
  /** `isSample`: nothing behind it. */
  "watch-sample": { readonly guildId: string; readonly watch: Watch; readonly by: string };
  "watch-trouble": TroubleFacts;
  "watch-well": TroubleFacts;
  /** Told to the server: its channel is closed to the bot, or gone. */
  "watch-lost": TroubleFacts;
  /** Told to the log channel, once a day: the rest of it, rules only advise. */
  "rules-capped": {
    readonly guildId: string;
    /** The log channel, or the watch's; absent where that is a forum. */
    readonly channelId?: string;
    readonly dailyCap: number;
    /** `2026-01-31`. */
    readonly day: string;
  };
  /** Told to the log channel: comments take a rule too long, and it judges no more of them. */
  "rule-switched-off": {
    readonly guildId: string;
    /** As in `rules-capped`. */
    readonly channelId?: string;
    readonly rule: Pick<Rule, "id" | "name">;
    readonly why: RuleOff["why"];
  };
  /** What rules did by themselves, in one round of one watch. */
  "rule-acts": {
    readonly guildId: string;
    /** Of the message's buttons. */
    readonly handle: string;
    readonly watch: Watch;
    readonly acts: readonly {
      readonly item: HeldComment;
      readonly rule: Pick<Rule, "id" | "name">;
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

export interface TroubleFacts {
  readonly guildId: string;
  readonly watch: Watch;
  readonly code: TroubleCode;
  readonly trouble: Trouble;
}
