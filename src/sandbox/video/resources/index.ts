import type { methods } from "../../../video/index.ts";
import type { Handler } from "../call.ts";
import { activityHandlers } from "./activities.ts";
import { captionHandlers } from "./captions.ts";
import { catalogueHandlers } from "./catalogues.ts";
import { channelSectionHandlers } from "./channel-sections.ts";
import { channelHandlers } from "./channels.ts";
import { commentThreadHandlers } from "./comment-threads.ts";
import { commentHandlers } from "./comments.ts";
import { memberHandlers } from "./members.ts";
import { pictureHandlers } from "./pictures.ts";
import { playlistItemHandlers } from "./playlist-items.ts";
import { playlistHandlers } from "./playlists.ts";
import { ratingHandlers } from "./ratings.ts";
import { searchHandlers } from "./search.ts";
import { subscriptionHandlers } from "./subscriptions.ts";
import { videoHandlers } from "./videos.ts";

/** One handler for every method of the table. */
export const handlers: Readonly<Record<keyof typeof methods, Handler>> = {
  ...activityHandlers,
  ...captionHandlers,
  ...catalogueHandlers,
  ...channelHandlers,
  ...channelSectionHandlers,
  ...commentHandlers,
  ...commentThreadHandlers,
  ...memberHandlers,
  ...pictureHandlers,
  ...playlistHandlers,
  ...playlistItemHandlers,
  ...ratingHandlers,
  ...searchHandlers,
  ...subscriptionHandlers,
  ...videoHandlers,
};
