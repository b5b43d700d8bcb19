import { activities } from "./activities.ts";
import { captions } from "./captions.ts";
import { catalogues } from "./catalogues.ts";
import { channelSections } from "./channel-sections.ts";
import { channels } from "./channels.ts";
import { commentThreads } from "./comment-threads.ts";
import { comments } from "./comments.ts";
import { members } from "./members.ts";
import { pictures } from "./pictures.ts";
import { playlistItems } from "./playlist-items.ts";
import { playlists } from "./playlists.ts";
import { search } from "./search.ts";
import { subscriptions } from "./subscriptions.ts";
import { videos } from "./videos.ts";

/** Every method, by its name in the service. */
export const methods = {
  ...search,
  ...videos,
  ...playlists,
  ...playlistItems,
  ...channels,
  ...channelSections,
  ...pictures,
  ...captions,
  ...commentThreads,
  ...comments,
  ...subscriptions,
  ...activities,
  ...members,
  ...catalogues,
} as const;
