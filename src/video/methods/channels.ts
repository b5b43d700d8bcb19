import { readFacts, updateFacts } from "./facts.ts";
import {
  hl,
  localizations,
  maxIds,
  maxResults,
  onBehalfOfContentOwner,
  pageToken,
  readPart,
  writtenPart,
} from "./params.ts";
import type { MethodSpec } from "./spec.ts";

const parts = [
  "auditDetails",
  "brandingSettings",
  "contentDetails",
  "contentOwnerDetails",
  "id",
  // YouTube's pages have it, its machine-readable description does not: docs/services/youtube.md#channels
  "invideoPromotion",
  "localizations",
  "snippet",
  "statistics",
  "status",
  "topicDetails",
] as const;

/** YouTube's documents disagree about them: docs/decisions.md#a-channels-update-writes-four-parts-one-call-each */
const writableParts = ["brandingSettings", "invideoPromotion", "localizations", "status"] as const;

export const channelMethods = {
  "channels.list": {
    ...readFacts,
    path: "/channels",
    title: "Show channels",
    scopes: [
      "youtube",
      "youtube.force-ssl",
      "youtube.readonly",
      "youtubepartner",
      "youtubepartner-channel-audit",
    ],
    query: {
      part: {
        ...readPart,
        enum: parts,
        // The others are shown to anybody; these only to the channel's owner.
        needsToken: ["auditDetails", "contentOwnerDetails", "invideoPromotion"],
      },
      mine: { type: "boolean", about: "Your own channel; needs a token", needsToken: true },
      id: { type: "string", about: "Channels by id", repeated: true, maxItems: maxIds },
      mySubscribers: {
        type: "boolean",
        about: "Has no effect any more",
        deprecated: true,
        needsToken: true,
      },
      categoryId: { type: "string", about: "Has no effect any more", deprecated: true },
      managedByMe: {
        type: "boolean",
        about: "Partners only: channels you manage",
        needsToken: true,
        forContentOwners: true,
      },
      forUsername: { type: "string", about: "Channel by its old user name" },
      forHandle: { type: "string", about: "Channel by its handle, with or without the @" },
      hl,
      maxResults,
      pageToken,
      onBehalfOfContentOwner,
    },
    filters: { exactlyOne: ["id", "mine", "forHandle", "forUsername", "managedByMe"] },
    result: { kind: "list", resource: "Channel" },
  },
  "channels.update": {
    ...updateFacts,
    path: "/channels",
    title: "Change the channel's settings",
    query: { part: { ...writtenPart, enum: writableParts }, onBehalfOfContentOwner },
    body: {
      resource: "Channel",
      fields: {
        id: { type: "string", about: "The channel to change", required: true },
        // The title is no field here, because YouTube refuses to change it.
        "brandingSettings.channel.description": { type: "string", about: "Text about the channel" },
        "brandingSettings.channel.keywords": {
          type: "string",
          about: "Keywords, separated by spaces",
        },
        "brandingSettings.channel.country": { type: "string", about: "Country of the channel" },
        "brandingSettings.channel.defaultLanguage": {
          type: "string",
          about: "Language of the title and the description",
        },
        "brandingSettings.channel.unsubscribedTrailer": {
          type: "string",
          about: "Video shown to people who have not subscribed",
        },
        "brandingSettings.channel.trackingAnalyticsAccountId": {
          type: "string",
          about: "Account for visitor statistics",
        },
        "brandingSettings.channel.showBrowseView": {
          type: "boolean",
          about: "The page with sections; without it they are not visible",
        },
        "brandingSettings.image.bannerExternalUrl": {
          type: "string",
          about: "Address of a banner, from its upload",
        },
        invideoPromotion: { type: "object", about: "Promotion inside the channel's videos" },
        ...localizations,
        "status.selfDeclaredMadeForKids": {
          type: "boolean",
          about: "The channel is made for children",
        },
      },
    },
    reads: "channels.list",
    result: { kind: "one", resource: "Channel" },
  },
} as const satisfies Record<string, MethodSpec>;
