import { activityMethods } from "./activities.ts";
import { captionMethods } from "./captions.ts";
import { catalogueMethods } from "./catalogues.ts";
import { channelSectionMethods } from "./channel-sections.ts";
import { channelMethods } from "./channels.ts";
import { commentThreadMethods } from "./comment-threads.ts";
import { commentMethods } from "./comments.ts";
import { memberMethods } from "./members.ts";
import { pictureMethods } from "./pictures.ts";
import { playlistItemMethods } from "./playlist-items.ts";
import { playlistMethods } from "./playlists.ts";
import { searchMethods } from "./search.ts";
import { subscriptionMethods } from "./subscriptions.ts";
import { videoMethods } from "./videos.ts";

/** Every method, by its name in the API. */
export const methods = {
  ...searchMethods,
  ...videoMethods,
  ...playlistMethods,
  ...playlistItemMethods,
  ...channelMethods,
  ...channelSectionMethods,
  ...pictureMethods,
  ...captionMethods,
  ...commentThreadMethods,
  ...commentMethods,
  ...subscriptionMethods,
  ...activityMethods,
  ...memberMethods,
  ...catalogueMethods,
} as const;
