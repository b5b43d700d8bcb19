import type { Method } from "../../../src/video/index.ts";

/** One call as both clients make it. */
export interface Sample {
  /** All parameters: of the query, and the one in the path. */
  readonly params: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  readonly body?: object;
  readonly media?: { readonly type: string; readonly data: Buffer };
}

const owner = { onBehalfOfContentOwner: "owner-1" };
const onChannel = { ...owner, onBehalfOfContentOwnerChannel: "UCchannel" };
const page = { maxResults: 7, pageToken: "CAoQAA" };
const picture = { type: "image/png", data: Buffer.from("\x89PNG\r\n\x1a\n--not-a-boundary\r\n") };
const captionFile = {
  type: "application/octet-stream",
  data: Buffer.from("1\n00:00:00,000 --> 00:00:01,000\nGrüße, 🌿\n"),
};
const film = { type: "video/mp4", data: Buffer.alloc(3_000, "film") };
const video = { kind: "youtube#video", videoId: "dQw4w9WgXcQ" };

/** A text that survives only if it is encoded correctly: spaces, ampersands, plus signs, letters outside ASCII. */
const words = "cats & dogs + Grüße 🌿 100%";

/** One call of every method, with as many of its parameters as can be combined. */
export const samples: Readonly<Record<Method, Sample>> = {
  "activities.list": {
    params: {
      part: ["snippet", "contentDetails"],
      channelId: "UCchannel",
      publishedAfter: "2026-01-01T00:00:00Z",
      publishedBefore: "2026-02-01T00:00:00+01:00",
      regionCode: "DE",
      ...page,
    },
  },
  "captions.delete": { params: { id: "caption 1", ...owner } },
  "captions.download": { params: { id: "AUieDa/b c", tfmt: "srt", tlang: "pt-BR", ...owner } },
  "captions.insert": {
    params: { part: ["snippet", "id"], ...owner },
    body: { snippet: { videoId: "v1", language: "de", name: words, isDraft: true } },
    media: captionFile,
  },
  "captions.list": {
    params: { part: ["snippet", "id"], videoId: "v1", id: ["c1", "c2"], ...owner },
  },
  "captions.update": {
    params: { part: ["snippet", "id"], ...owner },
    body: { id: "c1", snippet: { isDraft: false } },
    media: captionFile,
  },
  "channelBanners.insert": { params: onChannel, media: picture },
  "channelSections.delete": { params: { id: "section 1", ...owner } },
  "channelSections.insert": {
    params: { part: ["snippet", "contentDetails"], ...onChannel },
    body: {
      snippet: { type: "multiplePlaylists", title: words, position: 0 },
      contentDetails: { playlists: ["PL1", "PL2"] },
    },
  },
  "channelSections.list": {
    params: { part: ["snippet", "contentDetails"], id: ["s1", "s2"], ...owner },
  },
  "channelSections.update": {
    params: { part: ["snippet", "contentDetails"], ...owner },
    body: {
      id: "s1",
      snippet: { type: "singlePlaylist", position: 2 },
      contentDetails: { playlists: ["PL1"] },
    },
  },
  "channels.list": {
    params: { part: ["statistics", "snippet"], forHandle: "@orbitnotes", hl: "de", ...page },
  },
  "channels.update": {
    params: { part: ["brandingSettings"], ...owner },
    body: {
      id: "UCchannel",
      brandingSettings: {
        channel: { description: words, country: "DE", keywords: '"two words" one' },
        image: { bannerExternalUrl: "https://yt3.example/banner" },
      },
    },
  },
  "commentThreads.insert": {
    params: { part: ["snippet", "id"] },
    body: {
      snippet: {
        channelId: "UCchannel",
        videoId: "v1",
        topLevelComment: { snippet: { textOriginal: `${words}\nsecond line` } },
      },
    },
  },
  "commentThreads.list": {
    params: {
      part: ["snippet", "replies"],
      allThreadsRelatedToChannelId: "UCchannel",
      moderationStatus: "heldForReview",
      order: "time",
      searchTerms: words,
      textFormat: "plainText",
      ...page,
    },
  },
  "comments.delete": { params: { id: "comment.1" } },
  "comments.insert": {
    params: { part: ["snippet", "id"] },
    body: { snippet: { parentId: "thread-1", textOriginal: words } },
  },
  "comments.list": {
    params: { part: ["snippet", "id"], parentId: "thread-1", textFormat: "plainText", ...page },
  },
  "comments.setModerationStatus": {
    params: { id: ["a", "b", "c"], moderationStatus: "rejected", banAuthor: true },
  },
  "comments.update": {
    params: { part: ["snippet", "id"] },
    body: { id: "comment.1", snippet: { textOriginal: words } },
  },
  "i18nLanguages.list": { params: { part: ["snippet"], hl: "fr" } },
  "i18nRegions.list": { params: { part: ["snippet"], hl: "fr" } },
  "members.list": {
    params: {
      part: ["snippet"],
      mode: "all_current",
      hasAccessToLevel: "level-1",
      filterByMemberChannelId: "UCmember",
      ...page,
    },
  },
  "membershipsLevels.list": { params: { part: ["snippet", "id"] } },
  "playlistItems.delete": { params: { id: "item 1", ...owner } },
  "playlistItems.insert": {
    params: { part: ["snippet", "contentDetails"], ...owner },
    body: {
      snippet: { playlistId: "PL1", position: 0, resourceId: video },
      contentDetails: { note: words },
    },
  },
  "playlistItems.list": {
    params: {
      part: ["snippet", "contentDetails"],
      playlistId: "PL1",
      videoId: "v1",
      ...page,
      ...owner,
    },
  },
  "playlistItems.update": {
    params: { part: ["snippet", "contentDetails"], ...owner },
    body: {
      id: "item-1",
      snippet: { playlistId: "PL1", position: 3, resourceId: video },
      contentDetails: { note: "" },
    },
  },
  "playlists.delete": { params: { id: "PL 1", ...owner } },
  "playlists.insert": {
    params: { part: ["snippet", "status"], ...onChannel },
    body: {
      snippet: { title: words, description: "first\nsecond" },
      status: { privacyStatus: "private" },
    },
  },
  "playlists.list": {
    params: { part: ["snippet", "contentDetails"], id: ["PL1", "PL2"], hl: "de", ...onChannel },
  },
  "playlists.update": {
    params: { part: ["snippet", "status"], ...owner },
    body: { id: "PL1", snippet: { title: words }, status: { privacyStatus: "unlisted" } },
  },
  "search.list": {
    params: {
      part: ["snippet"],
      q: words,
      type: ["video"],
      order: "viewCount",
      eventType: "completed",
      location: "52.5,13.4",
      locationRadius: "10km",
      publishedAfter: "2026-01-01T00:00:00Z",
      regionCode: "DE",
      relevanceLanguage: "de",
      safeSearch: "strict",
      videoCaption: "closedCaption",
      videoCategoryId: "10",
      videoDefinition: "high",
      videoDimension: "2d",
      videoDuration: "long",
      videoEmbeddable: "true",
      videoLicense: "creativeCommon",
      videoSyndicated: "true",
      videoType: "any",
      ...page,
    },
  },
  "subscriptions.delete": { params: { id: "subscription 1" } },
  "subscriptions.insert": {
    params: { part: ["snippet", "contentDetails"] },
    body: { snippet: { resourceId: { kind: "youtube#channel", channelId: "UCother" } } },
  },
  "subscriptions.list": {
    params: {
      part: ["snippet", "contentDetails"],
      channelId: "UCchannel",
      forChannelId: ["UCa", "UCb"].join(","),
      order: "alphabetical",
      ...page,
    },
  },
  "thumbnails.set": { params: { videoId: "v1", ...owner }, media: picture },
  "videoAbuseReportReasons.list": { params: { part: ["snippet", "id"], hl: "es" } },
  "videoCategories.list": { params: { part: ["snippet"], regionCode: "DE", hl: "de" } },
  "videos.delete": { params: { id: "video 1", ...owner } },
  "videos.getRating": { params: { id: ["v1", "v2"], ...owner } },
  "videos.insert": {
    params: { part: ["snippet", "status"], notifySubscribers: false, ...onChannel },
    body: {
      snippet: { title: words, categoryId: "22", tags: ["one", "two words"] },
      status: { privacyStatus: "private", publishAt: "2026-12-01T10:00:00Z" },
    },
    media: film,
  },
  "videos.list": {
    params: {
      part: ["snippet", "player", "contentDetails"],
      chart: "mostPopular",
      videoCategoryId: "10",
      regionCode: "DE",
      hl: "de",
      maxWidth: 640,
      maxHeight: 360,
      ...page,
    },
  },
  "videos.rate": { params: { id: "v1", rating: "like" } },
  "videos.reportAbuse": {
    params: owner,
    body: {
      videoId: "v1",
      reasonId: "V",
      secondaryReasonId: "37",
      comments: words,
      language: "en",
    },
  },
  "videos.update": {
    params: { part: ["snippet", "status", "localizations"], ...owner },
    body: {
      id: "v1",
      snippet: { title: words, categoryId: "22", defaultLanguage: "en" },
      status: { privacyStatus: "public", embeddable: false },
      localizations: { de: { title: "Grüße", description: "" } },
    },
  },
  "watermarks.set": {
    params: { channelId: "UCchannel", ...owner },
    body: {
      timing: { type: "offsetFromEnd", offsetMs: "15000", durationMs: "5000" },
      targetChannelId: "UCother",
    },
    media: picture,
  },
  "watermarks.unset": { params: { channelId: "UCchannel", ...owner } },
};
