import { maxIds, part } from "./params.ts";
import type { MethodSpec } from "./spec.ts";

export const videoCategories = {
  "videoCategories.list": {
    verb: "GET",
    path: "/videoCategories",
    title: "List the categories of videos",
    auth: "key-or-token",
    scopes: ["youtube", "youtube.force-ssl", "youtube.readonly", "youtubepartner"],
    bucket: "units",
    cost: 1,
    effect: "read",
    retry: "read",
    query: {
      part: { ...part, enum: ["snippet"] },
      id: { type: "string", about: "Categories by id", repeated: true, maxItems: maxIds },
      regionCode: { type: "string", about: "The country whose categories are listed" },
      hl: { type: "string", about: "Language of the names", default: "en-US" },
    },
    filters: { exactlyOne: ["id", "regionCode"] },
    result: { kind: "list", resource: "VideoCategory" },
  },
} as const satisfies Record<string, MethodSpec>;
