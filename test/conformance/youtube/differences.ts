import type { Method } from "../../../src/video/index.ts";

const list =
  "The service takes a comma list and repeated names alike; one sorted list makes the same call the same address.";
const charset = "The service's upload guide names the charset, and JSON is UTF-8 either way.";
const oneList = { "query.part: one list": list } as const;
const json = { "content-type: application/json; charset=utf-8": charset } as const;
const related = {
  "part 1 content-type: application/json; charset=UTF-8": charset,
} as const;

const session =
  "A film goes into a session that is resumed after a cut; the package sends it whole, and again from its start.";

/** How our request for a method differs from the package's, and why. Everything not listed is the same. */
export const differences: Partial<Record<Method, Readonly<Record<string, string>>>> = {
  "activities.list": oneList,
  "captions.insert": { ...oneList, ...related },
  "captions.list": { ...oneList, "query.id: one list": list },
  "captions.update": { ...oneList, ...related },
  "channelSections.insert": { ...oneList, ...json },
  "channelSections.list": { ...oneList, "query.id: one list": list },
  "channelSections.update": { ...oneList, ...json },
  "channels.list": oneList,
  "channels.update": json,
  "commentThreads.insert": { ...oneList, ...json },
  "commentThreads.list": oneList,
  "comments.insert": { ...oneList, ...json },
  "comments.list": oneList,
  "comments.setModerationStatus": { "query.id: one list": list },
  "comments.update": { ...oneList, ...json },
  "membershipsLevels.list": oneList,
  "playlistItems.insert": { ...oneList, ...json },
  "playlistItems.list": oneList,
  "playlistItems.update": { ...oneList, ...json },
  "playlists.insert": { ...oneList, ...json },
  "playlists.list": {
    ...oneList,
    "query.id: one list": list,
    "query.maxResults: ours only":
      "Ids that are given are answered in pages of five unless a longest page is asked for, and each page costs a unit.",
  },
  "playlists.update": { ...oneList, ...json },
  "subscriptions.insert": { ...oneList, ...json },
  "subscriptions.list": oneList,
  "videoAbuseReportReasons.list": oneList,
  "videos.getRating": { "query.id: one list": list },
  "videos.insert": {
    ...oneList,
    ...json,
    "query.uploadType: resumable": session,
    "requests: 2": session,
    "parts: 0": session,
  },
  "videos.list": oneList,
  "videos.reportAbuse": json,
  "videos.update": { ...oneList, ...json },
  "watermarks.set": related,
};
