import type { methods } from "../../../video/index.ts";
import type { Handler } from "../call.ts";
import { channels } from "./channels.ts";
import { i18nRegions } from "./i18n-regions.ts";
import { playlistItems } from "./playlist-items.ts";
import { playlists } from "./playlists.ts";
import { search } from "./search.ts";
import { videoCategories } from "./video-categories.ts";
import { videos } from "./videos.ts";

/** One handler for every row of the method table. */
export const handlers: Partial<Readonly<Record<keyof typeof methods, Handler>>> = {
  ...search,
  ...videos,
  ...playlists,
  ...playlistItems,
  ...channels,
  ...i18nRegions,
  ...videoCategories,
};
