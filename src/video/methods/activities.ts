import { readFacts } from "./facts.ts";
import { maxResults, pageToken, readPart } from "./params.ts";
import type { MethodSpec } from "./spec.ts";

export const activityMethods = {
  "activities.list": {
    ...readFacts,
    path: "/activities",
    title: "Show what a channel did lately",
    scopes: ["youtube", "youtube.force-ssl", "youtube.readonly"],
    query: {
      part: { ...readPart, enum: ["contentDetails", "id", "snippet"] },
      channelId: { type: "string", about: "What this channel did" },
      home: {
        type: "boolean",
        about: "Has no effect any more",
        deprecated: true,
        needsToken: true,
      },
      mine: {
        type: "boolean",
        about: "What your own channel did; needs a token",
        needsToken: true,
      },
      publishedAfter: { type: "datetime", about: "Not before this time" },
      publishedBefore: { type: "datetime", about: "Not after this time" },
      regionCode: { type: "string", about: "A hint to the country of the results" },
      maxResults,
      pageToken,
    },
    filters: { exactlyOne: ["channelId", "mine"] },
    result: { kind: "list", resource: "Activity" },
  },
} as const satisfies Record<string, MethodSpec>;
