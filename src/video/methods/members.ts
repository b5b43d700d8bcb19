import { readFacts } from "./facts.ts";
import { pageToken, readPart } from "./params.ts";
import type { MethodSpec } from "./spec.ts";

/** A channel's members and their levels. */
export const memberMethods = {
  "members.list": {
    ...readFacts,
    path: "/members",
    title: "Show the channel's members",
    auth: "token",
    scopes: ["youtube.channel-memberships.creator"],
    query: {
      part: { ...readPart, enum: ["snippet"] },
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
  "membershipsLevels.list": {
    ...readFacts,
    path: "/membershipsLevels",
    title: "Show the channel's membership levels",
    auth: "token",
    scopes: ["youtube.channel-memberships.creator"],
    query: { part: { ...readPart, enum: ["id", "snippet"] } },
    result: { kind: "list", resource: "MembershipsLevel" },
  },
} as const satisfies Record<string, MethodSpec>;
