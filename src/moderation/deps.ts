import type { ChannelMessages, Notification } from "../channel-messages.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/index.ts";
import type { Jobs } from "../jobs/index.ts";
import type { Log } from "../log.ts";
import type { GuildSettings } from "../store/index.ts";
import type { VideoClient } from "../video/index.ts";
import type { Pace, PaceDeps } from "./pace/index.ts";
import type { AuditEntry, HeldComment, ModerationRecords, Watch } from "./records/index.ts";
import type { RuleEngine } from "./rules/engine/open-rule-engine.ts";

/** What moderation needs from the rest of the bot; `bot.ts` passes it. */
export interface ModerationDeps {
  readonly database: Database;
  readonly jobs: Jobs;
  readonly channelMessages: ChannelMessages;
  /** A client that acts as a linked channel. Its calls throw ConnectError when the channel is not linked. */
  readonly video: (guildId: string, source: string) => Promise<VideoClient>;
  readonly left: PaceDeps["left"];
  readonly takeForDecisions: PaceDeps["takeForDecisions"];
  readonly settings: (guildId: string) => Promise<GuildSettings>;
  /** Notifies the server, and its owner, of what can't be posted in a watch's own channel. */
  readonly notify: (notification: Notification) => Promise<unknown>;
  /** Closed by the caller that opened it. */
  readonly engine: RuleEngine;
  /** Called after every poll with `done`, or with the code of the error that ended it. */
  readonly onPoll?: (outcome: string) => void;
  /** Called for every new entry of the audit log. */
  readonly onRecord?: (entry: Pick<AuditEntry, "act" | "from" | "answer">) => void;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
}

/** What the parts of moderation share. */
export interface ModerationPartDeps extends ModerationDeps {
  readonly records: ModerationRecords;
  readonly pace: Pace;
}

export interface GuildWatch {
  readonly guildId: string;
  readonly watch: Watch;
}

/** What a rule decided about one comment. */
export interface RuleVerdict {
  readonly ruleId: string;
  readonly ruleName: string;
  readonly does: "suggest" | "act";
  readonly kind: "approve" | "hold" | "reject";
}

/**
 * Runs the rules on new comments of a watch. Returns one verdict per comment, in the same order, or undefined if no rule
 * matched. Verdicts to act stop at the daily cap; beyond it they become advice. Never throws: a rule that fails is logged.
 */
export type CommentJudge = (
  guildId: string,
  watch: Watch,
  items: readonly HeldComment[],
) => Promise<readonly (RuleVerdict | undefined)[]>;
