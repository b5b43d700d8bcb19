import { type Cache, createCache } from "../cache.ts";
import type { ChannelMessages, Notification } from "../channel-messages.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/index.ts";
import type { Http } from "../http/index.ts";
import type { Jobs } from "../jobs/index.ts";
import type { Log } from "../log.ts";
import type { ServerSettings } from "../store/index.ts";
import type { VideoClient } from "../video/index.ts";
import { createDecisionCounts, type DecisionCounts } from "./decide/decision-counts.ts";
import { createPace, type Pace, type PublicView, type QuotaAccess } from "./pace/create-pace.ts";
import { createDemandReader } from "./pace/demand.ts";
import {
  type AuditEntry,
  createModerationRecords,
  type ModerationRecords,
  type Watch,
} from "./records/index.ts";
import type { RuleEngine } from "./rules/engine/open-rule-engine.ts";

export type { PublicView } from "./pace/create-pace.ts";

/** What moderation needs from the rest of the bot; `src/bot/rooms.ts` passes it. */
export interface ModerationDeps extends QuotaAccess {
  readonly database: Database;
  readonly jobs: Jobs;
  readonly channelMessages: ChannelMessages;
  /** A client that acts as a linked channel. Its calls throw ConnectError when the channel is not linked. */
  readonly video: (guildId: string, source: string) => Promise<VideoClient>;
  /** When that channel was linked, in milliseconds since the epoch; undefined if it is not. Its consent may be over. */
  readonly linkedAt: (guildId: string, source: string) => Promise<number | undefined>;
  /** Undefined if the server has no key. */
  readonly publicView: (guildId: string) => Promise<PublicView | undefined>;
  readonly settings: (guildId: string) => Promise<ServerSettings>;
  /** What the server calls a linked channel, or else its title; undefined if neither is known. */
  readonly channelName: (guildId: string, source: string) => Promise<string | undefined>;
  /** Notifies the server, and its owner, of what can't be posted in a watch's own channel. */
  readonly notify: (notification: Notification) => Promise<unknown>;
  /** Fetches what people subscribe to. */
  readonly fetchPublic: Http["fetchPublic"];
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

/** The one object that all functions of this room work with. */
export interface ModerationRoom extends ModerationDeps {
  readonly records: ModerationRecords;
  readonly pace: Pace;
  readonly counts: DecisionCounts;
  /** When a linked channel's watches were last polled early, because its decisions could not be sent. */
  readonly earlyPollCache: Cache<number>;
  /** When a linked channel's consent was last found to be over. */
  readonly brokenLinkCache: Cache<number>;
}

const maxChannels = 1_000;

export function createRoom(deps: ModerationDeps): ModerationRoom {
  const records = createModerationRecords(deps.database, deps.jobs);
  return {
    ...deps,
    records,
    pace: createPace({ ...deps, demand: createDemandReader(records.watches, deps.database) }),
    counts: createDecisionCounts(deps.database.now),
    earlyPollCache: createCache({ maxSize: maxChannels }),
    brokenLinkCache: createCache({ maxSize: maxChannels }),
  };
}

export interface ServerWatch {
  readonly guildId: string;
  readonly watch: Watch;
}

/** Where a watch's messages are posted. */
export function watchChannel({ guildId, watch }: ServerWatch) {
  const { channelId, isForum, mayBePublic } = watch;
  return { guildId, channelId, isForum, isConfidential: mayBePublic !== true };
}
