import { insertFacts, setFacts } from "./facts.ts";
import { onBehalfOfContentOwner, onBehalfOfContentOwnerChannel } from "./params.ts";
import type { MethodSpec } from "./spec.ts";

/** Pictures of a channel and of its videos. */
export const pictureMethods = {
  "channelBanners.insert": {
    ...insertFacts,
    path: "/channelBanners/insert",
    title: "Upload a banner picture",
    scopes: ["youtube", "youtube.force-ssl", "youtube.upload"],
    // It only creates an address: nothing is shown until channels.update sets it, so a second upload does no harm.
    retry: "set",
    query: {
      // YouTube takes the token's channel.
      channelId: { type: "string", about: "Has no effect", deprecated: true },
      onBehalfOfContentOwner,
      onBehalfOfContentOwnerChannel,
    },
    result: { kind: "one", resource: "ChannelBanner" },
    media: {
      direction: "up",
      maxBytes: 6 * 1024 * 1024,
      accept: ["image/jpeg", "image/png", "application/octet-stream"],
      protocol: "simple",
    },
  },
  "thumbnails.set": {
    ...setFacts,
    path: "/thumbnails/set",
    title: "Set a video's thumbnail",
    scopes: ["youtube", "youtube.force-ssl", "youtube.upload", "youtubepartner"],
    query: {
      videoId: { type: "string", about: "The video to show with this picture", required: true },
      onBehalfOfContentOwner,
    },
    result: { kind: "one", resource: "ThumbnailSet" },
    media: {
      direction: "up",
      // 2 MB before September 2026: docs/services/youtube.md#thumbnails
      maxBytes: 50 * 1024 * 1024,
      accept: ["image/jpeg", "image/png", "application/octet-stream"],
      protocol: "simple",
    },
  },
  "watermarks.set": {
    ...setFacts,
    path: "/watermarks/set",
    title: "Set the picture shown over the channel's videos",
    scopes: ["youtube", "youtube.force-ssl", "youtube.upload", "youtubepartner"],
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
    ...setFacts,
    path: "/watermarks/unset",
    title: "Remove the picture shown over the channel's videos",
    effect: "destroy",
    query: {
      channelId: { type: "string", about: "The channel that loses the picture", required: true },
      onBehalfOfContentOwner,
    },
  },
} as const satisfies Record<string, MethodSpec>;
