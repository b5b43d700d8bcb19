import { part } from "./params.ts";
import type { MethodSpec } from "./spec.ts";

export const i18nRegions = {
  "i18nRegions.list": {
    verb: "GET",
    path: "/i18nRegions",
    title: "List the regions the site supports",
    auth: "key-or-token",
    scopes: ["youtube", "youtube.force-ssl", "youtube.readonly", "youtubepartner"],
    bucket: "units",
    cost: 1,
    effect: "read",
    retry: "read",
    query: {
      part: { ...part, enum: ["snippet"] },
      hl: { type: "string", about: "Language of the names", default: "en_US" },
    },
    result: { kind: "list", resource: "I18nRegion" },
  },
} as const satisfies Record<string, MethodSpec>;
