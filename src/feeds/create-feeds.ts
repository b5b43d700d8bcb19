import { createAnnounce } from "./announce.ts";
import { createAnnouncementRecords } from "./announcement-records.ts";
import type { FeedsDeps } from "./deps.ts";
import { createFeedJobs } from "./feed-jobs.ts";
import { createFeedRecords } from "./feed-records.ts";
import { createGuildFeeds } from "./guild-feeds.ts";
import { createIntervals } from "./intervals.ts";
import { createLook } from "./look.ts";
import { createOutbox } from "./outbox.ts";
import { createHub } from "./push/receive.ts";
import { createSubscribe, isHubUsable } from "./push/subscription.ts";
import { createSwitch } from "./switch-off.ts";
import type { Feeds } from "./types.ts";

/** Announcements in all guilds; its jobs are done once `jobs` is started. */
export function createFeeds(options: FeedsDeps): Feeds {
  const records = {
    ...options,
    feeds: createFeedRecords(options.database),
    announcements: createAnnouncementRecords(options.database),
    feedJobs: createFeedJobs(options),
    isHubUsable: isHubUsable(options.hub),
  };
  const deps = {
    ...records,
    intervals: createIntervals(records),
    outbox: createOutbox(records),
    switch: createSwitch(records),
  };
  deps.feedJobs.handle("look", createLook(deps));
  deps.feedJobs.handle("announce", createAnnounce(deps));
  deps.feedJobs.handle("subscribe", createSubscribe(deps));
  return {
    of: (guildId) => createGuildFeeds(deps, guildId),
    hub: createHub(deps),
  };
}
