/**
 * What options suggest while somebody types. Suggestions come from cached lists; private ones are only for moderators
 * and above.
 */
export { dates, dayTimes, durations, futureDates, pastDates } from "../../discord/index.ts";
export {
  abuseReasons,
  categories,
  languages,
  regions,
  secondaryReasons,
  timeZones,
} from "./catalogues.ts";
export {
  channels,
  memberLevels,
  ownPlaylists,
  playlists,
  sections,
  subscriptions,
} from "./channels.ts";
export { matchCandidates, suggestForLast } from "./match.ts";
export {
  exemptAuthors,
  feeds,
  forumTags,
  linkedChannels,
  places,
  rules,
  watches,
} from "./server.ts";
export { captionsOf, commentsOf, ownVideos, playlistItems } from "./videos.ts";
