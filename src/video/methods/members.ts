import { pageToken, part } from "./params.ts";
import type { MethodSpec } from "./spec.ts";

export const members = {
  "members.list": {
    verb: "GET",
    path: "/members",
    title: "Show the channel's members",
    auth: "token",
    scopes: ["youtube.channel-memberships.creator"],
    bucket: "units",
    cost: 1,
    effect: "read",
    retry: "read",
    query: {
      part: { ...part, enum: ["snippet"] },
      mode: {
        type: "string",
        about: "All members of today, or who joined and rose since the last look",
        enum: ["updates", "all_current"],
        default: "all_current",
      },
      hasAccessToLevel: { type: "string", about: "Only members of this level and above" },
      maxResults: {
        type: "integer",
        about: "Results on a page",
        min: 0,
        max: 1_000,
        default: 5,
      },
      pageToken,
      filterByMemberChannelId: {
        type: "string",
        about: "Only these channels, if they are members",
        repeated: true,
        maxItems: 100,
      },
    },
    result: { kind: "list", resource: "Member" },
  },
} as const satisfies Record<string, MethodSpec>;
