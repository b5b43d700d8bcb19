import { onBehalfOfContentOwner } from "./params.ts";
import type { MethodSpec } from "./spec.ts";

export const watermarks = {
  "watermarks.set": {
    verb: "POST",
    path: "/watermarks/set",
    title: "Set the picture shown over the channel's videos",
    auth: "token",
    scopes: ["youtube", "youtube.force-ssl", "youtube.upload", "youtubepartner"],
    bucket: "units",
    cost: 50,
    effect: "write",
    retry: "set",
    query: {
      channelId: { type: "string", about: "The channel that gets the picture", required: true },
      onBehalfOfContentOwner,
    },
    body: {
      resource: "Watermark",
      // The picture alone is enough.
      optional: true,
      fields: {
        "timing.type": {
          type: "string",
          about: "Counted from the start or from the end of a video",
          enum: ["offsetFromStart", "offsetFromEnd"],
        },
        "timing.offsetMs": { type: "uint64", about: "Milliseconds until it appears" },
        "timing.durationMs": { type: "uint64", about: "Milliseconds it stays" },
        targetChannelId: { type: "string", about: "The channel it links to" },
      },
    },
    media: {
      direction: "up",
      maxBytes: 10 * 1024 * 1024,
      accept: ["image/jpeg", "image/png", "application/octet-stream"],
      protocol: "multipart",
    },
  },
  "watermarks.unset": {
    verb: "POST",
    path: "/watermarks/unset",
    title: "Remove the picture shown over the channel's videos",
    auth: "token",
    scopes: ["youtube", "youtube.force-ssl", "youtubepartner"],
    bucket: "units",
    cost: 50,
    effect: "destroy",
    retry: "set",
    query: {
      channelId: { type: "string", about: "The channel that loses the picture", required: true },
      onBehalfOfContentOwner,
    },
  },
} as const satisfies Record<string, MethodSpec>;
