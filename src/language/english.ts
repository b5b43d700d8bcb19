// Written by `npm run messages` from the names of the files in src/language/messages/en-US.

/** English by file: the language that is always complete, and whose keys are the keys. */
export interface English {
  readonly activity: typeof import("./messages/en-US/activity.json");
  readonly "add-to-playlist": typeof import("./messages/en-US/add-to-playlist.json");
  readonly announce: typeof import("./messages/en-US/announce.json");
  readonly background: typeof import("./messages/en-US/background.json");
  readonly branding: typeof import("./messages/en-US/branding.json");
  readonly budget: typeof import("./messages/en-US/budget.json");
  readonly captions: typeof import("./messages/en-US/captions.json");
  readonly cards: typeof import("./messages/en-US/cards.json");
  readonly channels: typeof import("./messages/en-US/channels.json");
  readonly choices: typeof import("./messages/en-US/choices.json");
  readonly comments: typeof import("./messages/en-US/comments.json");
  readonly common: typeof import("./messages/en-US/common.json");
  readonly connect: typeof import("./messages/en-US/connect.json");
  readonly credits: typeof import("./messages/en-US/credits.json");
  readonly erasure: typeof import("./messages/en-US/erasure.json");
  readonly expressions: typeof import("./messages/en-US/expressions.json");
  readonly failures: typeof import("./messages/en-US/failures.json") &
    typeof import("./messages/en-US/failures/announcements.json") &
    typeof import("./messages/en-US/failures/background.json") &
    typeof import("./messages/en-US/failures/budget.json") &
    typeof import("./messages/en-US/failures/database.json") &
    typeof import("./messages/en-US/failures/discord.json") &
    typeof import("./messages/en-US/failures/features.json") &
    typeof import("./messages/en-US/failures/http.json") &
    typeof import("./messages/en-US/failures/images.json") &
    typeof import("./messages/en-US/failures/moderation.json") &
    typeof import("./messages/en-US/failures/oauth.json") &
    typeof import("./messages/en-US/failures/store.json") &
    typeof import("./messages/en-US/failures/video.json") &
    typeof import("./messages/en-US/failures/web.json");
  readonly help: typeof import("./messages/en-US/help.json");
  readonly improvement: typeof import("./messages/en-US/improvement.json");
  readonly linking: typeof import("./messages/en-US/linking.json");
  readonly members: typeof import("./messages/en-US/members.json");
  readonly options: typeof import("./messages/en-US/options.json");
  readonly places: typeof import("./messages/en-US/places.json");
  readonly playlists: typeof import("./messages/en-US/playlists.json");
  readonly regions: typeof import("./messages/en-US/regions.json");
  readonly "remove-background": typeof import("./messages/en-US/remove-background.json");
  readonly review: typeof import("./messages/en-US/review.json");
  readonly rules: typeof import("./messages/en-US/rules.json");
  readonly search: typeof import("./messages/en-US/search.json");
  readonly start: typeof import("./messages/en-US/start.json");
  readonly subscriptions: typeof import("./messages/en-US/subscriptions.json");
  readonly summary: typeof import("./messages/en-US/summary.json");
  readonly thumbnails: typeof import("./messages/en-US/thumbnails.json");
  readonly usage: typeof import("./messages/en-US/usage.json");
  readonly "video-details": typeof import("./messages/en-US/video-details.json");
  readonly videos: typeof import("./messages/en-US/videos.json");
  readonly watch: typeof import("./messages/en-US/watch.json");
  readonly web: typeof import("./messages/en-US/web.json");
}
