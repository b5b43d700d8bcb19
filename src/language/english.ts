// Written by `npm run messages` from the names of the files in src/language/messages/en-US.
import activity from "./messages/en-US/activity.json" with { type: "json" };
import addToPlaylist from "./messages/en-US/add-to-playlist.json" with { type: "json" };
import announce from "./messages/en-US/announce.json" with { type: "json" };
import background from "./messages/en-US/background.json" with { type: "json" };
import branding from "./messages/en-US/branding.json" with { type: "json" };
import budget from "./messages/en-US/budget.json" with { type: "json" };
import captions from "./messages/en-US/captions.json" with { type: "json" };
import cards from "./messages/en-US/cards.json" with { type: "json" };
import channels from "./messages/en-US/channels.json" with { type: "json" };
import choices from "./messages/en-US/choices.json" with { type: "json" };
import comments from "./messages/en-US/comments.json" with { type: "json" };
import common from "./messages/en-US/common.json" with { type: "json" };
import connect from "./messages/en-US/connect.json" with { type: "json" };
import credits from "./messages/en-US/credits.json" with { type: "json" };
import erasure from "./messages/en-US/erasure.json" with { type: "json" };
import expressions from "./messages/en-US/expressions.json" with { type: "json" };
import announcementsFailures from "./messages/en-US/failures/announcements.json" with {
  type: "json",
};
import backgroundFailures from "./messages/en-US/failures/background.json" with { type: "json" };
import budgetFailures from "./messages/en-US/failures/budget.json" with { type: "json" };
import databaseFailures from "./messages/en-US/failures/database.json" with { type: "json" };
import discordFailures from "./messages/en-US/failures/discord.json" with { type: "json" };
import featuresFailures from "./messages/en-US/failures/features.json" with { type: "json" };
import httpFailures from "./messages/en-US/failures/http.json" with { type: "json" };
import imagesFailures from "./messages/en-US/failures/images.json" with { type: "json" };
import moderationFailures from "./messages/en-US/failures/moderation.json" with { type: "json" };
import oauthFailures from "./messages/en-US/failures/oauth.json" with { type: "json" };
import storeFailures from "./messages/en-US/failures/store.json" with { type: "json" };
import videoFailures from "./messages/en-US/failures/video.json" with { type: "json" };
import webFailures from "./messages/en-US/failures/web.json" with { type: "json" };
import failures from "./messages/en-US/failures.json" with { type: "json" };
import help from "./messages/en-US/help.json" with { type: "json" };
import improvement from "./messages/en-US/improvement.json" with { type: "json" };
import linking from "./messages/en-US/linking.json" with { type: "json" };
import members from "./messages/en-US/members.json" with { type: "json" };
import options from "./messages/en-US/options.json" with { type: "json" };
import places from "./messages/en-US/places.json" with { type: "json" };
import playlists from "./messages/en-US/playlists.json" with { type: "json" };
import regions from "./messages/en-US/regions.json" with { type: "json" };
import removeBackground from "./messages/en-US/remove-background.json" with { type: "json" };
import review from "./messages/en-US/review.json" with { type: "json" };
import rules from "./messages/en-US/rules.json" with { type: "json" };
import search from "./messages/en-US/search.json" with { type: "json" };
import start from "./messages/en-US/start.json" with { type: "json" };
import subscriptions from "./messages/en-US/subscriptions.json" with { type: "json" };
import summary from "./messages/en-US/summary.json" with { type: "json" };
import thumbnails from "./messages/en-US/thumbnails.json" with { type: "json" };
import usage from "./messages/en-US/usage.json" with { type: "json" };
import videoDetails from "./messages/en-US/video-details.json" with { type: "json" };
import videos from "./messages/en-US/videos.json" with { type: "json" };
import watch from "./messages/en-US/watch.json" with { type: "json" };
import web from "./messages/en-US/web.json" with { type: "json" };

/** English by file: the language that is always complete, and whose keys are the keys. */
export const english = {
  activity,
  "add-to-playlist": addToPlaylist,
  announce,
  background,
  branding,
  budget,
  captions,
  cards,
  channels,
  choices,
  comments,
  common,
  connect,
  credits,
  erasure,
  expressions,
  failures: {
    ...announcementsFailures,
    ...backgroundFailures,
    ...budgetFailures,
    ...databaseFailures,
    ...discordFailures,
    ...featuresFailures,
    ...httpFailures,
    ...imagesFailures,
    ...moderationFailures,
    ...oauthFailures,
    ...storeFailures,
    ...videoFailures,
    ...webFailures,
    ...failures,
  },
  help,
  improvement,
  linking,
  members,
  options,
  places,
  playlists,
  regions,
  "remove-background": removeBackground,
  review,
  rules,
  search,
  start,
  subscriptions,
  summary,
  thumbnails,
  usage,
  "video-details": videoDetails,
  videos,
  watch,
  web,
} as const;
