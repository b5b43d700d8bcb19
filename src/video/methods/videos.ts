import { deleteFacts, insertFacts, readFacts, setFacts, updateFacts } from "./facts.ts";
import {
  hl,
  localizations,
  maxIds,
  onBehalfOfContentOwner,
  onBehalfOfContentOwnerChannel,
  privacyStatus,
  readPart,
  writtenPart,
} from "./params.ts";
import type { FieldSpec, MethodSpec } from "./spec.ts";

const parts = [
  "brandPartner",
  "contentDetails",
  "fileDetails",
  "id",
  "liveStreamingDetails",
  "localizations",
  "paidProductPlacementDetails",
  "player",
  "processingDetails",
  "recordingDetails",
  "snippet",
  "statistics",
  "status",
  "suggestions",
  "topicDetails",
] as const;

const category = { type: "string", about: "Category, one of the assignable ones" } as const;

/** What an upload and an update may set. */
const metadata = {
  "snippet.title": {
    type: "string",
    about: "Title",
    required: "with-part",
    maxChars: 100,
    forbids: "<>",
  },
  "snippet.description": {
    type: "string",
    about: "Description",
    maxBytes: 5_000,
    forbids: "<>",
  },
  "snippet.tags": { type: "strings", about: "Keywords", maxTagChars: 500, forbids: "<>" },
  "snippet.categoryId": category,
  "snippet.defaultLanguage": {
    type: "string",
    about: "Language of the title and the description",
  },
  "status.privacyStatus": privacyStatus,
  "status.publishAt": {
    type: "datetime",
    about: "When a private video becomes public",
    needs: { "status.privacyStatus": "private" },
  },
  "status.license": { type: "string", about: "Licence", enum: ["youtube", "creativeCommon"] },
  "status.embeddable": { type: "boolean", about: "Other sites may embed it" },
  "status.publicStatsViewable": { type: "boolean", about: "Everybody sees its statistics" },
  "status.selfDeclaredMadeForKids": { type: "boolean", about: "Made for children" },
  "status.containsSyntheticMedia": {
    type: "boolean",
    about: "Shows altered or synthetic scenes that look real",
  },
  "recordingDetails.recordingDate": { type: "datetime", about: "When it was recorded" },
  "paidProductPlacementDetails.hasPaidProductPlacement": {
    type: "boolean",
    about: "Holds paid promotion",
  },
  ...localizations,
} as const satisfies Readonly<Record<string, FieldSpec>>;

export const videoMethods = {
  "videos.list": {
    ...readFacts,
    path: "/videos",
    title: "Show videos, or the most popular ones",
    query: {
      // The others are shown to anybody; these only to the video's owner.
      part: {
        ...readPart,
        enum: parts,
        needsToken: ["fileDetails", "processingDetails", "suggestions"],
      },
      id: { type: "string", about: "Videos by id", repeated: true, maxItems: maxIds },
      myRating: {
        type: "string",
        about: "Videos you liked or disliked; needs a token",
        enum: ["like", "dislike"],
        needsToken: true,
      },
      chart: {
        type: "string",
        about: "The chart of the most popular videos",
        enum: ["mostPopular"],
      },
      videoCategoryId: {
        type: "string",
        about: "Only this category, 0 for all; only with chart",
        default: "0",
        needs: { chart: true },
      },
      regionCode: {
        type: "string",
        about: "Country of the chart; only with chart",
        needs: { chart: true },
      },
      maxWidth: {
        type: "integer",
        about: "Width of the embedded player; only with part player",
        min: 72,
        max: 8192,
      },
      maxHeight: {
        type: "integer",
        about: "Height of the embedded player; only with part player",
        min: 72,
        max: 8192,
      },
      hl,
      locale: { type: "string", about: "Has no effect any more", deprecated: true },
      maxResults: {
        type: "integer",
        about: "Results on a page; not with id",
        min: 1,
        max: 50,
        default: 5,
        notWith: ["id"],
      },
      pageToken: {
        type: "string",
        about: "Where to go on, from the previous answer; only with chart or myRating",
        notWith: ["id"],
      },
      onBehalfOfContentOwner,
    },
    filters: { exactlyOne: ["chart", "id", "myRating"] },
    result: { kind: "list", resource: "Video" },
  },
  "videos.insert": {
    ...insertFacts,
    path: "/videos",
    title: "Upload a video",
    scopes: ["youtube", "youtube.force-ssl", "youtube.upload", "youtubepartner"],
    bucket: "uploads",
    cost: 1,
    retry: "upload",
    query: {
      part: { ...writtenPart, enum: parts },
      autoLevels: { type: "boolean", about: "Has no effect any more", deprecated: true },
      stabilize: { type: "boolean", about: "Has no effect any more", deprecated: true },
      notifySubscribers: {
        type: "boolean",
        about: "Tell the channel's subscribers",
        default: true,
      },
      onBehalfOfContentOwner,
      onBehalfOfContentOwnerChannel,
    },
    // A video without a privacyStatus becomes public: docs/services/youtube.md#videos
    body: { resource: "Video", optional: true, fields: metadata },
    result: { kind: "one", resource: "Video" },
    media: {
      direction: "up",
      maxBytes: 256 * 1024 ** 3,
      accept: ["video/*", "application/octet-stream"],
      protocol: "resumable",
    },
  },
  "videos.update": {
    ...updateFacts,
    path: "/videos",
    title: "Change a video's details",
    query: { part: { ...writtenPart, enum: parts }, onBehalfOfContentOwner },
    body: {
      resource: "Video",
      fields: {
        id: { type: "string", about: "The video to change", required: true },
        ...metadata,
        // An upload without a category gets People & Blogs; an update without one would remove it.
        "snippet.categoryId": { ...category, required: "with-part" },
      },
    },
    reads: "videos.list",
    result: { kind: "one", resource: "Video" },
  },
  "videos.delete": {
    ...deleteFacts,
    path: "/videos",
    title: "Delete a video",
    query: {
      id: { type: "string", about: "The video to delete", required: true },
      onBehalfOfContentOwner,
    },
  },
  "videos.rate": {
    ...setFacts,
    path: "/videos/rate",
    title: "Like or dislike a video",
    query: {
      id: { type: "string", about: "The video to rate", required: true },
      rating: {
        type: "string",
        about: "Your rating; none takes it back",
        required: true,
        enum: ["none", "like", "dislike"],
      },
    },
  },
  "videos.getRating": {
    ...readFacts,
    path: "/videos/getRating",
    title: "Show your ratings of videos",
    auth: "token",
    scopes: ["youtube", "youtube.force-ssl", "youtubepartner", "youtube.readonly"],
    query: {
      id: {
        type: "string",
        about: "The videos",
        required: true,
        repeated: true,
        maxItems: maxIds,
      },
      onBehalfOfContentOwner,
    },
    result: { kind: "list", resource: "VideoRating" },
  },
  "videos.reportAbuse": {
    ...insertFacts,
    path: "/videos/reportAbuse",
    title: "Report a video",
    // There is no list of reports, so a lost answer can't be looked up.
    query: { onBehalfOfContentOwner },
    body: {
      resource: "VideoAbuseReport",
      fields: {
        videoId: { type: "string", about: "The video to report", required: true },
        reasonId: { type: "string", about: "The reason", required: true },
        secondaryReasonId: {
          type: "string",
          about: "The reason in detail; some reasons need it",
        },
        comments: { type: "string", about: "What else there is to say" },
        language: { type: "string", about: "Language the reporter speaks" },
      },
    },
  },
} as const satisfies Record<string, MethodSpec>;
