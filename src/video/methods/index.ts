import { activities } from "./activities.ts";
import { captions } from "./captions.ts";
import { channelBanners } from "./channel-banners.ts";
import { channelSections } from "./channel-sections.ts";
import { channels } from "./channels.ts";
import { commentThreads } from "./comment-threads.ts";
import { comments } from "./comments.ts";
import { i18nLanguages } from "./i18n-languages.ts";
import { i18nRegions } from "./i18n-regions.ts";
import { members } from "./members.ts";
import { membershipsLevels } from "./memberships-levels.ts";
import { playlistItems } from "./playlist-items.ts";
import { playlists } from "./playlists.ts";
import { search } from "./search.ts";
import { subscriptions } from "./subscriptions.ts";
import { thumbnails } from "./thumbnails.ts";
import { videoAbuseReportReasons } from "./video-abuse-report-reasons.ts";
import { videoCategories } from "./video-categories.ts";
import { videos } from "./videos.ts";
import { watermarks } from "./watermarks.ts";

/** Every method, by its name in the service. */
export const methods = {
  ...search,
  ...videos,
  ...playlists,
  ...playlistItems,
  ...channels,
  ...channelSections,
  ...channelBanners,
  ...thumbnails,
  ...watermarks,
  ...captions,
  ...commentThreads,
  ...comments,
  ...subscriptions,
  ...activities,
  ...members,
  ...membershipsLevels,
  ...i18nLanguages,
  ...i18nRegions,
  ...videoCategories,
  ...videoAbuseReportReasons,
} as const;
