import { createAnnounce } from "./announce.ts";
import { createAnnouncementRecords } from "./announcement-records.ts";
import type { FeedsDeps, FeedWorkDeps } from "./deps.ts";
import { createFeedJobs } from "./feed-jobs.ts";
import { createFeedRecords } from "./feed-records.ts";
import { createGuildFeeds, type GuildFeeds } from "./guild-feeds.ts";
import { createLook } from "./look.ts";
import { createHub } from "./push/receive.ts";
import { createSubscribe, createTurn, isHubUsable } from "./push/subscription.ts";
import { handleUnsubscribes } from "./push/unsubscription.ts";

/** Announcements of channels' new videos. The work is done by jobs, in any process. */
export type Feeds = ReturnType<typeof createFeeds>;

/** Announcements in all guilds; their jobs run once `jobs` is started. */
export function createFeeds(options: FeedsDeps) {
  const deps: FeedWorkDeps = {
    ...options,
    feeds: createFeedRecords(options.database),
    announcements: createAnnouncementRecords(options.database),
    feedJobs: createFeedJobs(options),
    isHubUsable: isHubUsable(options.hub),
  };
  const turn = createTurn(deps);
  deps.feedJobs.handle("look", createLook(deps));
  deps.feedJobs.handle("announce", createAnnounce(deps));
  deps.feedJobs.handle("subscribe", createSubscribe(deps, turn));
  handleUnsubscribes(deps, turn);
  return {
    of: (guildId: string): GuildFeeds => createGuildFeeds(deps, guildId),
    /** Answers the hub, which sends its requests to `callbackUrl`. */
    hub: createHub(deps),
  };
}
