import type { LimitError } from "../errors.ts";
import type {
  Actor,
  AuditCount,
  AuditEntry,
  AuditFilter,
  AuditPage,
  AuditPageOptions,
  AuthorHistory,
  DecidedFrom,
  DecisionKind,
  Digest,
  HeldComment,
  ItemRef,
  QueuedComment,
  Rule,
  RuleBook,
  RuleOff,
  SavedReply,
  Trouble,
  TroubleCode,
  Watch,
} from "./records/index.ts";

/** The queues of all guilds that this process serves. */
export interface Moderation {
  of(guildId: string): GuildModeration;
  /** Of all servers: comments that wait for people, and decisions that are to be sent. */
  load(): Promise<{ readonly waiting: number; readonly running: number }>;
  /** Lets go of what is remembered of a guild whose records are to be erased. */
  forget(guildId: string): void;
}

/** The queue of one guild. All of it throws ServiceError `store_unavailable`. */
export interface GuildModeration {
  readonly watches: Watches;
  readonly queue: Queue;
  readonly rules: Rules;
  readonly audit: Audit;
  readonly replies: SavedReplies;
}

/** What of a watch people set; the rest is given. */
export type WatchSetting = Omit<Watch, "id" | "addedAt" | "addedBy" | "paused">;

export interface Watches {
  all(): Promise<readonly Watch[]>;
  /**
   * Begins to watch, or changes what is watched in that channel of Discord's: there is one watch a channel.
   * @throws InputError `too_many_watches`.
   */
  put(setting: WatchSetting, by: string): Promise<Watch>;
  /** Its queue goes with it; answers whether it was there. */
  remove(id: string): Promise<boolean>;
  pause(id: string, by: string): Promise<Watch | undefined>;
  /** Looks at once. */
  resume(id: string): Promise<Watch | undefined>;
  /** Leaves a sample card where the watch leaves its cards. @throws what `Desk.post` throws. */
  test(id: string, by: string): Promise<void>;
  status(id: string): Promise<WatchStatus | undefined>;
}

/** Times are milliseconds since the epoch. */
export interface WatchStatus {
  readonly watch: Watch;
  readonly polledAt?: number;
  readonly nextPollAt?: number;
  /** How often it looks at present, and why not as often as it was asked to. */
  readonly paceMs: number;
  readonly slowedBy?: "units" | "quiet";
  /** What its polls cost a day at that pace, and what they have cost today. */
  readonly unitsADay: number;
  readonly unitsToday: number;
  /** Comments that wait for a decision, put off ones included. */
  readonly waiting: number;
  /** When the one that has waited longest was written. */
  readonly oldestAt?: number;
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

export interface Queue {
  item(ref: ItemRef): Promise<HeldComment | undefined>;
  /** Those of a watch, in the order of their ids, without those that are unknown. */
  items(watchId: string, ids: readonly string[]): Promise<readonly HeldComment[]>;
  /** A comment of a linked channel, in every watch that holds it. */
  itemsOf(source: string, commentId: string): Promise<readonly HeldComment[]>;
  /** How many of a watch are not over yet. */
  count(watchId: string): Promise<number>;
  digest(watchId: string, id: string): Promise<DigestView | undefined>;
  /** What is known of an author here. */
  history(authorId: string): Promise<AuthorHistory | undefined>;
  /** First come, first served. It is sent some seconds later, with others of its kind in one call. */
  decide(request: DecideRequest): Promise<readonly Decided[]>;
  /**
   * Counts decisions that go to the service on another way, before they do; answers those comments that are not to be
   * decided about again today, with why.
   */
  admit(commentIds: readonly string[], source: string): Promise<ReadonlyMap<string, LimitError>>;
  /** While it is pending. `late`: it is on its way or over. */
  undo(
    ref: ItemRef,
    by: Actor,
  ): Promise<{ readonly state: "open" | "late"; readonly item?: HeldComment }>;
  /** It comes back as a new card at that time. */
  later(ref: ItemRef, by: Actor, untilMs: number): Promise<Decided>;
  /** Brings back what was put off. */
  now(ref: ItemRef): Promise<HeldComment | undefined>;
  /** Somebody answered the comment. */
  replied(ref: ItemRef, by: Actor, commentId: string): Promise<HeldComment | undefined>;
  /** What was decided about by a command: cards follow, and it is on record. */
  settled(settled: readonly Settled[]): Promise<void>;
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

export interface Audit {
  /** Newest first. */
  page(filter: AuditFilter, options: AuditPageOptions): Promise<AuditPage>;
  /** Counts up to that number, and no longer than some milliseconds. */
  count(filter: AuditFilter, atMost: number): Promise<AuditCount>;
  entry(id: string): Promise<AuditEntry | undefined>;
  /** What happened to one comment, newest first, at most 100. */
  ofComment(commentId: string): Promise<readonly AuditEntry[]>;
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

export interface Rules {
  book(): Promise<RuleBook>;
  /**
   * On comments of lately: what waits, and what was published last. @throws what the video client throws; InputError
   * `rule_pattern`, `rule_words`, `rule_links`, `rule_repeats`, `rule_authors`, `rule_slow`.
   */
  tryOut(draft: RuleDraft, source: string, signal: AbortSignal): Promise<DryRun>;
  /**
   * Which rules, switched off ones too, find something in a text; what only several comments show is left out.
   * @throws InputError `rule_slow`.
   */
  hitsOf(text: string): Promise<readonly RuleHit[]>;
  /** It is on from then. @throws InputError as `tryOut`, and `too_many_rules`. */
  add(draft: RuleDraft, by: string): Promise<Rule>;
  /**
   * Which of the texts hold any of these words or phrases, or `/a pattern/`; look-alike letters count as the same.
   * @throws InputError `rule_words`, `rule_pattern`.
   */
  matching(wanted: readonly string[], texts: readonly string[]): Promise<readonly boolean[]>;
  /** @throws InputError as `tryOut`. */
  change(id: string, change: Partial<RuleDraft & Pick<Rule, "isOn">>): Promise<Rule | undefined>;
  remove(id: string): Promise<boolean>;
  /** Whom no rule touches, how many acts a day, and where they are told. @throws InputError `rule_authors`. */
  configure(change: {
    readonly spared?: Partial<RuleBook["spared"]> | undefined;
    readonly dailyCap?: number | undefined;
    /** `null` removes it. */
    readonly logChannelId?: string | null | undefined;
  }): Promise<RuleBook>;
}

export interface SavedReplies {
  /** By name. */
  all(): Promise<readonly SavedReply[]>;
  /**
   * Under its id, or as a new one. No two have the same name, whatever its case.
   * @throws InputError `reply_name`, `reply_text`, `reply_name_taken`, `too_many_replies`.
   */
  put(reply: Omit<SavedReply, "id"> & { readonly id?: string }): Promise<SavedReply>;
  remove(id: string): Promise<boolean>;
}

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
