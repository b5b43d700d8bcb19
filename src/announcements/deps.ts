import type { QuotaState } from "../budget/index.ts";
import type { ChannelMessages, Notification } from "../channel-messages.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/index.ts";
import type { Http } from "../http/index.ts";
import type { Jobs } from "../jobs/index.ts";
import type { Log } from "../log.ts";
import type { OneTimeTokens } from "../store/index.ts";
import type { VideoClient } from "../video/index.ts";
import type { AnnouncementRecords } from "./announcement-records.ts";
import type { FeedJobs } from "./feed-jobs.ts";
import type { FeedRecords } from "./feed-records.ts";

/** Passed in by `bot.ts`. */
export interface FeedsDeps {
  readonly database: Database;
  readonly jobs: Pick<Jobs, "handle" | "put" | "read" | "remove">;
  /** Store, sealed, what each path of the hub's callback stands for. */
  readonly oneTimeTokens: OneTimeTokens;
  readonly channelMessages: ChannelMessages;
  /** A client with the guild's own credential: its key, or else its linked channel. @throws ConnectError if it has neither. */
  readonly video: (guildId: string) => Promise<VideoClient>;
  /** Units of that credential's project. */
  readonly left: (guildId: string) => Promise<QuotaState>;
  /** Name of that project, which several guilds may share; each has its own when absent. */
  readonly project?: (guildId: string) => Promise<string | undefined>;
  /** Notifies the server and its owner why a feed is off. */
  readonly notify: (notification: Notification) => Promise<unknown>;
  readonly http: Http;
  /** The hub's address, and the address at which it reaches this bot; without the latter, feeds are polled. */
  readonly hub: { readonly url: string; readonly callbackUrl: string | undefined };
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
}

/** What the room's own parts share. */
export interface FeedWorkDeps extends FeedsDeps {
  readonly feeds: FeedRecords;
  readonly announcements: AnnouncementRecords;
  readonly feedJobs: FeedJobs;
  /** Whether there is a hub that can announce new videos. */
  readonly isHubUsable: boolean;
}
