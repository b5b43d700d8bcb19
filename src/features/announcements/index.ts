import { filterFeed, filterFeedOptions } from "./filter.ts";
import { askImport, importFeedActions, importFeedOptions } from "./import.ts";
import { feedListActions } from "./list.ts";
import {
  askRemoveFeed,
  feedChoice,
  feedOffEvent,
  listChosenFeeds,
  manageFeedActions,
  pauseChosenFeed,
  resumeChosenFeed,
  testChosenFeed,
  testFeedOptions,
} from "./manage.ts";
import { announcementEvent } from "./message.ts";
import { muteFeedOptions, muteFeeds, unmuteFeeds } from "./mute.ts";
import {
  addFeedOptions,
  announceChannel,
  changeAnnouncement,
  changeFeedOptions,
} from "./set-up.ts";
import { streamEvent } from "./stream-message.ts";
import { setStreams, streamOptions } from "./streams.ts";

/** Announcements of new releases: what `/announce` does, and the announcements themselves. */
export const announcements = {
  addOptions: addFeedOptions,
  add: announceChannel,
  changeOptions: changeFeedOptions,
  change: changeAnnouncement,
  list: listChosenFeeds,
  choice: feedChoice,
  streamOptions,
  streams: setStreams,
  importOptions: importFeedOptions,
  askImport,
  filterOptions: filterFeedOptions,
  filter: filterFeed,
  muteOptions: muteFeedOptions,
  mute: muteFeeds,
  unmute: unmuteFeeds,
  pause: pauseChosenFeed,
  resume: resumeChosenFeed,
  testOptions: testFeedOptions,
  test: testChosenFeed,
  askRemove: askRemoveFeed,
  actions: [...feedListActions, ...manageFeedActions, ...importFeedActions],
  events: [announcementEvent, streamEvent, feedOffEvent],
} as const;
