import { part } from "./params.ts";
import type { MethodSpec } from "./spec.ts";

export const membershipsLevels = {
  "membershipsLevels.list": {
    verb: "GET",
    path: "/membershipsLevels",
    title: "Show the channel's membership levels",
    auth: "token",
    scopes: ["youtube.channel-memberships.creator"],
    bucket: "units",
    cost: 1,
    effect: "read",
    retry: "read",
    query: { part: { ...part, enum: ["id", "snippet"] } },
    result: { kind: "list", resource: "MembershipsLevel" },
  },
} as const satisfies Record<string, MethodSpec>;
