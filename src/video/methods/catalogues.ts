import { readFacts } from "./facts.ts";
import { hl, maxIds, readPart } from "./params.ts";
import type { MethodSpec } from "./spec.ts";

/** Lists of values to choose from, which rarely change. */
export const catalogueMethods = {
  "i18nLanguages.list": {
    ...readFacts,
    path: "/i18nLanguages",
    title: "List the languages the site supports",
    query: {
      part: { ...readPart, enum: ["snippet"] },
      hl: { type: "string", about: "Language of the names", default: "en_US" },
    },
    result: { kind: "list", resource: "I18nLanguage" },
  },
  "i18nRegions.list": {
    ...readFacts,
    path: "/i18nRegions",
    title: "List the regions the site supports",
    query: {
      part: { ...readPart, enum: ["snippet"] },
      hl: { type: "string", about: "Language of the names", default: "en_US" },
    },
    result: { kind: "list", resource: "I18nRegion" },
  },
  "videoCategories.list": {
    ...readFacts,
    path: "/videoCategories",
    title: "List the categories of videos",
    query: {
      part: { ...readPart, enum: ["snippet"] },
      id: { type: "string", about: "Categories by id", repeated: true, maxItems: maxIds },
      regionCode: { type: "string", about: "The country whose categories are listed" },
      hl: { type: "string", about: "Language of the names", default: "en-US" },
    },
    filters: { exactlyOne: ["id", "regionCode"] },
    result: { kind: "list", resource: "VideoCategory" },
  },
  "videoAbuseReportReasons.list": {
    ...readFacts,
    path: "/videoAbuseReportReasons",
    title: "List the reasons a video can be reported for",
    auth: "token",
    scopes: ["youtube", "youtube.force-ssl", "youtube.readonly"],
    query: {
      part: { ...readPart, enum: ["id", "snippet"] },
      hl: { ...hl, default: "en-US" },
    },
    result: { kind: "list", resource: "VideoAbuseReportReason" },
  },
} as const satisfies Record<string, MethodSpec>;
