import type { QuotaState } from "../budget/index.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/index.ts";
import type { Desk } from "../desk.ts";
import type { Jobs } from "../jobs/index.ts";
import type { Log } from "../log.ts";
import type { GuildSettings } from "../store/index.ts";
import type { VideoClient } from "../video/index.ts";
import type { AuditEntry, HeldComment, ModerationRecords, Watch } from "./records/index.ts";
import type { RuleEngine } from "./rules/index.ts";
import type { Decided, DecideRequest, Queue } from "./types.ts";

/** What the queue is made with, in `bot.ts`. */
export interface ModerationOptions {
  readonly database: Database;
  readonly jobs: Jobs;
  readonly desk: Desk;
  /** Acts as a linked channel on behalf of moderation. Its calls throw ConnectError where it is not linked. */
  readonly video: (guildId: string, source: string) => Promise<VideoClient>;
  /** Units of the project that all linked channels share, as far as that guild may spend them. */
  readonly left: (guildId: string, source: string) => Promise<QuotaState>;
  readonly settings: (guildId: string) => Promise<GuildSettings>;
  /** Says where the server hears such things, and to its owner, what can't be said where a watch leaves its cards. */
  readonly tell: (happening: {
    readonly name: string;
    readonly facts: unknown;
  }) => Promise<unknown>;
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
  readonly records: ModerationRecords;
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
    items: readonly HeldComment[],
  ): Promise<readonly (Verdict | undefined)[]>;
}
