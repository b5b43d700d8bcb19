import type { methods } from "../../../video/index.ts";
import type { Handler } from "../call.ts";
import { activityHandlers } from "./activities.ts";
import { captionHandlers } from "./captions.ts";
import { channelSectionHandlers } from "./channel-sections.ts";
import { channelHandlers, channelUpdateHandlers } from "./channels.ts";
import { commentThreadHandlers } from "./comment-threads.ts";
import { commentHandlers, commentModerationHandlers } from "./comments.ts";
import { languageHandlers, regionHandlers, videoCategoryHandlers } from "./i18n.ts";
import { memberHandlers, membershipLevelHandlers } from "./members.ts";
import { playlistItemHandlers, playlistItemWriteHandlers } from "./playlist-items.ts";
import { playlistHandlers, playlistWriteHandlers } from "./playlists.ts";
import { ratingHandlers } from "./ratings.ts";
import { searchHandlers } from "./search.ts";
import { subscriptionHandlers } from "./subscriptions.ts";
import { channelBannerHandlers, thumbnailHandlers, watermarkHandlers } from "./thumbnails.ts";
import { abuseReportHandlers, videoWriteHandlers } from "./video-writes.ts";
import { videoHandlers } from "./videos.ts";

/** One handler for every methodSpec of the method table. */
export const handlers: Readonly<Record<keyof typeof methods, Handler>> = {
  ...searchHandlers,
  ...videoHandlers,
  ...videoWriteHandlers,
  ...ratingHandlers,
  ...abuseReportHandlers,
  ...captionHandlers,
  ...thumbnailHandlers,
  ...watermarkHandlers,
  ...playlistHandlers,
  ...playlistWriteHandlers,
  ...playlistItemHandlers,
  ...playlistItemWriteHandlers,
  ...channelHandlers,
  ...channelUpdateHandlers,
  ...channelBannerHandlers,
  ...channelSectionHandlers,
  ...commentHandlers,
  ...commentThreadHandlers,
  ...commentModerationHandlers,
  ...subscriptionHandlers,
  ...memberHandlers,
  ...membershipLevelHandlers,
  ...activityHandlers,
  ...languageHandlers,
  ...regionHandlers,
  ...videoCategoryHandlers,
};
