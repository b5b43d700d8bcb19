import type { QuotaState } from "../budget/index.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/index.ts";
import type { Desk } from "../desk.ts";
import type { Http } from "../http/index.ts";
import type { Jobs } from "../jobs/index.ts";
import type { Log } from "../log.ts";
import type { Tickets } from "../store/index.ts";
import type { VideoClient } from "../video/index.ts";
import type { AnnouncementRecords } from "./announcement-records.ts";
import type { FeedJobs } from "./feed-jobs.ts";
import type { FeedRecords } from "./feed-records.ts";

/** What announcing is made with, in `bot.ts`. */
export interface FeedsDeps {
  readonly database: Database;
  readonly jobs: Pick<Jobs, "handle" | "put" | "remove">;
  /** Hold what a hub's callbacks stand for, sealed. */
  readonly tickets: Tickets;
  readonly desk: Desk;
  /** Reads with what the guild has: its key, else its linked channel. @throws ConnectError where it has neither. */
  readonly video: (guildId: string) => Promise<VideoClient>;
  /** Units of that credential's project. */
  readonly left: (guildId: string) => Promise<QuotaState>;
  /** Name of that project, which several guilds may share; each has its own when absent. */
  readonly project?: (guildId: string) => Promise<string | undefined>;
  /** Says where the server hears such things, and to its owner, why a feed is off. */
  readonly tell: (happening: {
    readonly name: string;
    readonly facts: unknown;
  }) => Promise<unknown>;
  readonly http: Http;
  /** Where the hub is, and where it reaches this bot; without the latter feeds are polled. */
  readonly hub: { readonly url: string; readonly callbackUrl: string | undefined };
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
}

/** What its jobs, its guilds and the hub are served with. */
export interface FeedWorkDeps extends FeedsDeps {
  readonly feeds: FeedRecords;
  readonly announcements: AnnouncementRecords;
  readonly feedJobs: FeedJobs;
  /** Whether there is a hub that can tell what is new. */
  readonly isHubUsable: boolean;
}
