import { onBehalfOfContentOwner, onBehalfOfContentOwnerChannel, pageToken } from "./params.ts";
import type { MethodSpec } from "./spec.ts";

export const playlists = {
  "playlists.list": {
    verb: "GET",
    path: "/playlists",
    title: "Show playlists",
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
        enum: ["contentDetails", "id", "localizations", "player", "snippet", "status"],
      },
      id: { type: "string", about: "Playlists by id", repeated: true, maxItems: 50 },
      mine: { type: "boolean", about: "Your own playlists; needs a token" },
      channelId: { type: "string", about: "Public playlists of this channel" },
      hl: { type: "string", about: "Language of localized texts" },
      maxResults: { type: "integer", about: "Results on a page", min: 0, max: 50, default: 5 },
      pageToken,
      onBehalfOfContentOwner,
      onBehalfOfContentOwnerChannel,
    },
    filters: { exactlyOne: ["channelId", "id", "mine"] },
    result: { kind: "list", resource: "Playlist" },
  },
} as const satisfies Record<string, MethodSpec>;
