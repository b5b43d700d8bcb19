import type { methods } from "../../../video/index.ts";
import type { Handler } from "../call.ts";
import { abuseReports } from "./abuse-reports.ts";
import { activities } from "./activities.ts";
import { captions } from "./captions.ts";
import { channelBanners } from "./channel-banners.ts";
import { channelSections } from "./channel-sections.ts";
import { channels, channelUpdates } from "./channels.ts";
import { commentThreads } from "./comment-threads.ts";
import { commentModeration, comments } from "./comments.ts";
import { i18nLanguages, i18nRegions } from "./i18n.ts";
import { members, membershipsLevels } from "./members.ts";
import { playlistItemWrites } from "./playlist-item-writes.ts";
import { playlistItems } from "./playlist-items.ts";
import { playlists, playlistWrites } from "./playlists.ts";
import { ratings } from "./ratings.ts";
import { search } from "./search.ts";
import { subscriptions } from "./subscriptions.ts";
import { thumbnails } from "./thumbnails.ts";
import { videoCategories } from "./video-categories.ts";
import { videoWrites } from "./video-writes.ts";
import { videos } from "./videos.ts";
import { watermarks } from "./watermarks.ts";

/** One handler for every row of the method table. */
export const handlers: Readonly<Record<keyof typeof methods, Handler>> = {
  ...search,
  ...videos,
  ...videoWrites,
  ...ratings,
  ...abuseReports,
  ...captions,
  ...thumbnails,
  ...watermarks,
  ...playlists,
  ...playlistWrites,
  ...playlistItems,
  ...playlistItemWrites,
  ...channels,
  ...channelUpdates,
  ...channelBanners,
  ...channelSections,
  ...comments,
  ...commentThreads,
  ...commentModeration,
  ...subscriptions,
  ...members,
  ...membershipsLevels,
  ...activities,
  ...i18nLanguages,
  ...i18nRegions,
  ...videoCategories,
};
