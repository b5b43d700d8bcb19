import { hl, part } from "./params.ts";
import type { MethodSpec } from "./spec.ts";

export const videoAbuseReportReasons = {
  "videoAbuseReportReasons.list": {
    verb: "GET",
    path: "/videoAbuseReportReasons",
    title: "List the reasons a video can be reported for",
    auth: "token",
    scopes: ["youtube", "youtube.force-ssl", "youtube.readonly"],
    bucket: "units",
    cost: 1,
    effect: "read",
    retry: "read",
    query: {
      part: { ...part, enum: ["id", "snippet"] },
      hl: { ...hl, default: "en-US" },
    },
    result: { kind: "list", resource: "VideoAbuseReportReason" },
  },
} as const satisfies Record<string, MethodSpec>;
