import { feedListActions, listFeeds, releaseKinds } from "./list.ts";
import {
  askRemoveFeed,
  feedOffEvent,
  manageFeedActions,
  pauseChosenFeed,
  resumeChosenFeed,
  testChosenFeed,
} from "./manage.ts";
import { announcementEvent, maxTemplateChars } from "./message.ts";
import { announceChannel, changeAnnouncement } from "./set-up.ts";

/** Announcements of new releases: what `/announce` does, and the announcements themselves. */
export const announcements = {
  add: announceChannel,
  change: changeAnnouncement,
  list: listFeeds,
  pause: pauseChosenFeed,
  resume: resumeChosenFeed,
  test: testChosenFeed,
  askRemove: askRemoveFeed,
  kinds: releaseKinds,
  maxTemplateChars: maxTemplateChars,
  actions: [...feedListActions, ...manageFeedActions],
  events: [announcementEvent, feedOffEvent],
} as const;
