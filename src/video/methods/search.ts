import { readFacts } from "./facts.ts";
import { maxResults, onBehalfOfContentOwner, pageToken, readPart } from "./params.ts";
import type { MethodSpec } from "./spec.ts";

/** Filters for videos are refused unless only videos are searched for. */
const onlyVideos = { needs: { type: "video" } } as const;

export const searchMethods = {
  "search.list": {
    ...readFacts,
    path: "/search",
    title: "Search videos, channels and playlists",
    bucket: "searches",
    query: {
      part: { ...readPart, enum: ["id", "snippet"] },
      q: { type: "string", about: "What to look for; a minus leaves a word out, | means or" },
      type: {
        type: "string",
        about: "Kinds of results; all three when left out",
        repeated: true,
        enum: ["video", "channel", "playlist"],
        default: "video,channel,playlist",
      },
      order: {
        type: "string",
        about: "Order of the results",
        enum: ["date", "rating", "relevance", "title", "videoCount", "viewCount"],
        default: "relevance",
      },
      relevanceLanguage: { type: "string", about: "Prefer results in this language (ISO 639-1)" },
      videoDimension: {
        type: "string",
        about: "2D or 3D videos; needs type video",
        enum: ["any", "2d", "3d"],
        ...onlyVideos,
      },
      videoDefinition: {
        type: "string",
        about: "Standard or high definition; needs type video",
        enum: ["any", "standard", "high"],
        ...onlyVideos,
      },
      videoLicense: {
        type: "string",
        about: "Licence of the videos; needs type video",
        enum: ["any", "youtube", "creativeCommon"],
        ...onlyVideos,
      },
      videoDuration: {
        type: "string",
        about: "Short is under 4 minutes, medium 4 to 20, long over 20; needs type video",
        enum: ["any", "short", "medium", "long"],
        ...onlyVideos,
      },
      videoCaption: {
        type: "string",
        about: "With or without captions; needs type video",
        enum: ["any", "closedCaption", "none"],
        ...onlyVideos,
      },
      videoEmbeddable: {
        type: "string",
        about: "Only videos that other sites may embed; needs type video",
        enum: ["any", "true"],
        ...onlyVideos,
      },
      videoSyndicated: {
        type: "string",
        about: "Only videos that play on other sites; needs type video",
        enum: ["any", "true"],
        ...onlyVideos,
      },
      videoCategoryId: {
        type: "string",
        about: "Only this category; needs type video",
        ...onlyVideos,
      },
      videoType: {
        type: "string",
        about: "Only films or only episodes; needs type video",
        enum: ["any", "movie", "episode"],
        ...onlyVideos,
      },
      eventType: {
        type: "string",
        about: "State of a live broadcast; needs type video",
        enum: ["completed", "live", "upcoming"],
        ...onlyVideos,
      },
      location: {
        type: "string",
        about: "Latitude and longitude, like 52.5,13.4; needs locationRadius and type video",
        needs: { locationRadius: true, type: "video" },
      },
      locationRadius: {
        type: "string",
        about: "A number and m, km, ft or mi; at most 1000 km; needs location",
        needs: { location: true },
      },
      channelId: { type: "string", about: "Only this channel" },
      publishedAfter: { type: "datetime", about: "Not published before this time" },
      publishedBefore: { type: "datetime", about: "Not published after this time" },
      topicId: { type: "string", about: "Only this topic, one of the curated ids" },
      videoPaidProductPlacement: {
        type: "string",
        about: "Only videos with paid promotion; needs type video",
        enum: ["any", "true"],
        ...onlyVideos,
      },
      forContentOwner: {
        type: "boolean",
        about: "Partners only: what the content owner holds; needs type video",
        ...onlyVideos,
        needsToken: true,
        forContentOwners: true,
      },
      regionCode: { type: "string", about: "Only what can be watched in this country" },
      channelType: {
        type: "string",
        about: "Only shows among the channels",
        enum: ["any", "show"],
      },
      safeSearch: {
        type: "string",
        about: "Filter for restricted content",
        enum: ["none", "moderate", "strict"],
        default: "moderate",
      },
      forMine: {
        type: "boolean",
        about: "Only your own videos; needs a token and type video",
        ...onlyVideos,
        needsToken: true,
      },
      forDeveloper: {
        type: "boolean",
        about: "Only videos uploaded through this project; needs a token and type video",
        ...onlyVideos,
        needsToken: true,
      },
      maxResults,
      pageToken,
      onBehalfOfContentOwner,
    },
    filters: { atMostOne: ["forContentOwner", "forDeveloper", "forMine"] },
    result: { kind: "list", resource: "SearchResult" },
  },
} as const satisfies Record<string, MethodSpec>;
