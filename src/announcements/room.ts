import type { QuotaState } from "../budget/index.ts";
import type { Notification, PublishableMessages } from "../channel-messages.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/index.ts";
import type { Http } from "../http/index.ts";
import type { Jobs } from "../jobs/index.ts";
import type { Log } from "../log.ts";
import type { ScheduledEvents } from "../scheduled-events.ts";
import type { OneTimeTokens } from "../store/index.ts";
import type { VideoClient } from "../video/index.ts";
import { type AnnouncementRecords, createAnnouncementRecords } from "./announcement-records.ts";
import { createFeedJobs, type FeedJobs } from "./feed-jobs.ts";
import { createFeedRecords, type FeedRecords } from "./feed-records.ts";

/** What announcements need from the rest of the bot; `src/bot/rooms.ts` passes it. */
export interface FeedsDeps {
  readonly database: Database;
  readonly jobs: Pick<Jobs, "handle" | "put" | "read" | "remove">;
  /** Store, sealed, what each path of the hub's callback stands for. */
  readonly oneTimeTokens: OneTimeTokens;
  readonly channelMessages: PublishableMessages;
  readonly scheduledEvents: ScheduledEvents;
  /** A client with the server's own credential: its key, or else its linked channel. @throws ConnectError if it has neither. */
  readonly video: (guildId: string) => Promise<VideoClient>;
  /** Units of that credential's project. */
  readonly left: (guildId: string) => Promise<QuotaState>;
  /** Name of that project, which several servers may share; each has its own when absent. */
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

/** The one object that all functions of this room work with. */
export interface FeedsRoom extends FeedsDeps {
  readonly feeds: FeedRecords;
  readonly announcements: AnnouncementRecords;
  readonly feedJobs: FeedJobs;
}

export function createRoom(deps: FeedsDeps): FeedsRoom {
  return {
    ...deps,
    feeds: createFeedRecords(deps.database),
    announcements: createAnnouncementRecords(deps.database),
    feedJobs: createFeedJobs(deps.jobs),
  };
}
