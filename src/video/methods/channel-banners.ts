import { onBehalfOfContentOwner, onBehalfOfContentOwnerChannel } from "./params.ts";
import type { MethodSpec } from "./spec.ts";

export const channelBanners = {
  "channelBanners.insert": {
    verb: "POST",
    path: "/channelBanners/insert",
    title: "Upload a banner picture",
    auth: "token",
    scopes: ["youtube", "youtube.force-ssl", "youtube.upload"],
    bucket: "units",
    cost: 50,
    effect: "write",
    // It only makes an address: nothing is shown until channels.update sets it, so a second one does no harm.
    retry: "set",
    query: {
      // The service goes by the token's channel.
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
} as const satisfies Record<string, MethodSpec>;
