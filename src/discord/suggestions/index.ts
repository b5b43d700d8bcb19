/**
 * What options suggest while somebody types. Answers come from lists that are remembered; private things are for
 * moderators and above alone.
 */
export { captionsOf } from "./captions.ts";
export { abuseReasons, categories, languages, regions, secondaryReasons } from "./catalogues.ts";
export { channels } from "./channels.ts";
export { commentsOf } from "./comments.ts";
export { memberLevels, subscriptions } from "./community.ts";
export { dates, futureDates, pastDates } from "./dates.ts";
export { dayTimes } from "./day-times.ts";
export { durations } from "./durations.ts";
export { feeds } from "./feeds.ts";
export { linkedChannels } from "./linked-channels.ts";
export { ownPlaylists, playlists } from "./own-playlists.ts";
export { ownVideos } from "./own-videos.ts";
export { playlistItems } from "./playlist-items.ts";
export { rules, savedReplies, watches } from "./queue.ts";
export { sections } from "./sections.ts";
export { timeZones } from "./time-zones.ts";
