import type { QuotaState } from "../budget/index.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/index.ts";
import type { Desk } from "../desk.ts";
import type { Jobs } from "../jobs/index.ts";
import type { Log } from "../log.ts";
import type { GuildSettings } from "../store/index.ts";
import type { VideoClient } from "../video/index.ts";
import type { Pace } from "./pace/index.ts";
import type { AuditEntry, HeldComment, ModerationRecords, Watch } from "./records/index.ts";
import type { RuleEngine } from "./rules/index.ts";

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

/** What the room's parts are made with. */
export interface PartOptions extends ModerationOptions {
  readonly records: ModerationRecords;
  readonly pace: Pace;
}

/** A watch's queue, and whose it is. */
export interface QueueAt {
  readonly guildId: string;
  readonly watch: Watch;
}

/** What the rules say of one comment. */
export interface Verdict {
  readonly ruleId: string;
  readonly ruleName: string;
  readonly does: "suggest" | "act";
  readonly kind: "approve" | "hold" | "reject";
}

/**
 * Of new items of a watch, in their order, what the rules say; undefined for nothing. Only as many may be acted on as the day
 * still has room for; the rest is advice. Never throws: a rule that fails is logged and says nothing.
 */
export type Judge = (
  guildId: string,
  watch: Watch,
  items: readonly HeldComment[],
) => Promise<readonly (Verdict | undefined)[]>;
