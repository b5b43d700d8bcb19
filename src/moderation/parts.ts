import type { Clock } from "../clock.ts";
import type { Desk } from "../desk.ts";
import type { Log } from "../log.ts";
import type { AuditEntry, GuildSettings, QueueItem, Store, Watch } from "../store/index.ts";
import type { Left, VideoClient } from "../video/index.ts";
import type { RuleEngine } from "./rules/index.ts";
import type { Decided, DecideRequest, ItemRef, Queue } from "./types.ts";

/** What the queue is made with, in `bot.ts`. */
export interface ModerationOptions {
  readonly store: Pick<Store, "moderation" | "leases" | "guilds">;
  readonly desk: Desk;
  /** Acts as a linked channel on behalf of moderation. Its calls throw ConnectError where it is not linked. */
  readonly video: (guildId: string, source: string) => Promise<VideoClient>;
  /** Units of the project that all linked channels share, as far as that guild may spend them. */
  readonly left: (guildId: string, source: string) => Promise<Left>;
  readonly settings: (guildId: string) => Promise<GuildSettings>;
  /** Says where the server hears such things, and to its owner, what can't be said where a watch leaves its cards. */
  readonly tell: (happening: {
    readonly name: string;
    readonly facts: unknown;
  }) => Promise<unknown>;
  /** Whether this process serves that guild. */
  readonly owns: (guildId: string) => boolean;
  /** Whoever opened it closes it. */
  readonly engine: RuleEngine;
  /** Told of every poll: `done`, or the code of the error that ended it. */
  readonly onPoll?: (outcome: string) => void;
  /** Told of everything that goes on record. */
  readonly onRecord?: (entry: Pick<AuditEntry, "act" | "from" | "answer">) => void;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
}

/** Items as they are kept. */
export interface Items {
  /** @throws ServiceError `store_unavailable`. */
  read(guildId: string, ref: ItemRef): Promise<QueueItem | undefined>;
  /** Of one watch, or of all. @throws ServiceError `store_unavailable`. */
  all(guildId: string, watchId?: string): Promise<readonly QueueItem[]>;
  /**
   * Changes what is there, and counts it as a revision where `change` answers something else than it was given; answers
   * what is there then. Nobody comes between; `change` may be called several times. @throws ServiceError `store_unavailable`.
   */
  change(
    guildId: string,
    ref: ItemRef,
    change: (item: QueueItem) => QueueItem,
  ): Promise<{ readonly item: QueueItem; readonly isChanged: boolean } | undefined>;
  /** The same without a revision: for what no card shows. */
  note(
    guildId: string,
    ref: ItemRef,
    change: (item: QueueItem) => QueueItem,
  ): Promise<QueueItem | undefined>;
}

/** Keeps messages as their items are. */
export interface Announcer {
  /** Some time soon every message that shows it is drawn anew, and one that is due is sent. Never throws. */
  changed(guildId: string, ref: ItemRef): void;
}

/** Shares the day's units between the watches of all guilds. */
export interface Pace {
  /**
   * Whether so many units may go into decisions of that guild now. A guild always may within its own part of the day;
   * beyond it what the others still need today stays. What is allowed counts as spent.
   */
  mayFlush(guildId: string, source: string, cost: number): Promise<FlushLeave>;
}

/** `at`: when it is worth another try, in milliseconds since the epoch. */
export type FlushLeave =
  | { readonly isGiven: true }
  | { readonly isGiven: false; readonly at: number };

/** What the room's parts are made with. */
export interface PartOptions extends ModerationOptions {
  readonly items: Items;
  readonly announcer: Announcer;
  readonly pace: Pace;
}

/** Carries out what is decided. */
export interface Decider {
  decide(guildId: string, request: DecideRequest): Promise<readonly Decided[]>;
  undo: (guildId: string, ...rest: Parameters<Queue["undo"]>) => ReturnType<Queue["undo"]>;
  later: (guildId: string, ...rest: Parameters<Queue["later"]>) => ReturnType<Queue["later"]>;
  now: (guildId: string, ...rest: Parameters<Queue["now"]>) => ReturnType<Queue["now"]>;
  replied: (guildId: string, ...rest: Parameters<Queue["replied"]>) => ReturnType<Queue["replied"]>;
  admit: (guildId: string, ...rest: Parameters<Queue["admit"]>) => ReturnType<Queue["admit"]>;
  settled: (guildId: string, ...rest: Parameters<Queue["settled"]>) => ReturnType<Queue["settled"]>;
  /**
   * Takes up what a former process left of a watch: pending decisions go when they are due, and of what was on its way the
   * service is asked how it stands. What was put off comes back in time. `known`: its items, where they were just read.
   */
  takeUp(guildId: string, watch: Watch, known?: readonly QueueItem[]): Promise<void>;
  /** Lets go of a watch's or a guild's decisions without sending them; nothing more is written of a guild's then. */
  drop(guildId: string, watchId?: string): Promise<void>;
  close(): Promise<void>;
}

/** What the rules say of one comment. */
export interface Verdict {
  readonly ruleId: string;
  readonly ruleName: string;
  readonly does: "suggest" | "act";
  readonly kind: "approve" | "hold" | "reject";
}

export interface Judge {
  /**
   * Of new items of a watch, in their order, what the rules say; undefined for nothing. Only as many may be acted on as
   * the day still has room for; the rest is advice. Never throws: a rule that fails is logged and says nothing.
   */
  judge(
    guildId: string,
    watch: Watch,
    items: readonly QueueItem[],
  ): Promise<readonly (Verdict | undefined)[]>;
}
