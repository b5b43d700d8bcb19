import { onBehalfOfContentOwner } from "./params.ts";
import type { MethodSpec } from "./spec.ts";

export const thumbnails = {
  "thumbnails.set": {
    verb: "POST",
    path: "/thumbnails/set",
    title: "Set a video's thumbnail",
    auth: "token",
    scopes: ["youtube", "youtube.force-ssl", "youtube.upload", "youtubepartner"],
    bucket: "units",
    cost: 50,
    effect: "write",
    retry: "set",
    query: {
      videoId: { type: "string", about: "The video to show with this picture", required: true },
      onBehalfOfContentOwner,
    },
    result: { kind: "one", resource: "ThumbnailSet" },
    media: {
      direction: "up",
      // Since September 2026; before that it was 2 MB (facts, section 1).
      maxBytes: 50 * 1024 * 1024,
      accept: ["image/jpeg", "image/png", "application/octet-stream"],
      protocol: "simple",
    },
  },
} as const satisfies Record<string, MethodSpec>;
