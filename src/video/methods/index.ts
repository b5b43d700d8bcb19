import { channels } from "./channels.ts";
import { i18nRegions } from "./i18n-regions.ts";
import { playlistItems } from "./playlist-items.ts";
import { playlists } from "./playlists.ts";
import { search } from "./search.ts";
import { videoCategories } from "./video-categories.ts";
import { videos } from "./videos.ts";

/** Every method, by its name in the service. */
export const methods = {
  ...search,
  ...videos,
  ...playlists,
  ...playlistItems,
  ...channels,
  ...i18nRegions,
  ...videoCategories,
} as const;
