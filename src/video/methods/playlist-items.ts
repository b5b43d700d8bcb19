import { onBehalfOfContentOwner, pageToken } from "./params.ts";
import type { MethodSpec } from "./spec.ts";

export const playlistItems = {
  "playlistItems.list": {
    verb: "GET",
    path: "/playlistItems",
    title: "Show what is in a playlist",
    auth: "key-or-token",
    scopes: ["youtube", "youtube.force-ssl", "youtube.readonly", "youtubepartner"],
    bucket: "units",
    cost: 1,
    effect: "read",
    retry: "read",
    query: {
      part: {
        type: "string",
        about: "Sections of the resource to answer with",
        required: true,
        repeated: true,
        enum: ["contentDetails", "id", "snippet", "status"],
      },
      id: { type: "string", about: "Items by their own id", repeated: true, maxItems: 50 },
      playlistId: { type: "string", about: "Items of this playlist" },
      videoId: { type: "string", about: "Only items that hold this video" },
      maxResults: { type: "integer", about: "Results on a page", min: 0, max: 50, default: 5 },
      pageToken,
      onBehalfOfContentOwner,
    },
    filters: { exactlyOne: ["id", "playlistId"] },
    result: { kind: "list", resource: "PlaylistItem" },
  },
} as const satisfies Record<string, MethodSpec>;
