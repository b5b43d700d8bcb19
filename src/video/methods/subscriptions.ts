import { deleteFacts, insertFacts, readFacts } from "./facts.ts";
import {
  maxIds,
  maxResults,
  onBehalfOfContentOwner,
  onBehalfOfContentOwnerChannel,
  pageToken,
  readPart,
  writtenPart,
} from "./params.ts";
import type { MethodSpec } from "./spec.ts";

const parts = ["contentDetails", "id", "snippet", "subscriberSnippet"] as const;

export const subscriptionMethods = {
  "subscriptions.list": {
    ...readFacts,
    path: "/subscriptions",
    title: "Show subscriptions, or the channel's subscribers",
    query: {
      part: { ...readPart, enum: parts },
      id: { type: "string", about: "Subscriptions by id", repeated: true, maxItems: maxIds },
      mine: {
        type: "boolean",
        about: "What your own channel is subscribed to; needs a token",
        needsToken: true,
      },
      channelId: { type: "string", about: "What this channel is subscribed to, if it shows it" },
      forChannelId: {
        type: "string",
        about: "Only subscriptions to these channels",
        repeated: true,
        maxItems: maxIds,
      },
      order: {
        type: "string",
        about: "Order of the results",
        enum: ["relevance", "unread", "alphabetical"],
        default: "relevance",
      },
      mySubscribers: {
        type: "boolean",
        about: "Who is subscribed to your channel; needs a token",
        needsToken: true,
      },
      myRecentSubscribers: {
        type: "boolean",
        about: "Who is subscribed to your channel, newest first; needs a token",
        needsToken: true,
      },
      maxResults,
      pageToken,
      onBehalfOfContentOwner,
      onBehalfOfContentOwnerChannel,
    },
    filters: { exactlyOne: ["channelId", "id", "mine", "myRecentSubscribers", "mySubscribers"] },
    result: { kind: "list", resource: "Subscription" },
  },
  "subscriptions.insert": {
    ...insertFacts,
    path: "/subscriptions",
    title: "Subscribe to a channel",
    query: { part: { ...writtenPart, enum: parts } },
    body: {
      resource: "Subscription",
      fields: {
        "snippet.resourceId": {
          type: "resourceId",
          about: "The channel to subscribe to",
          required: true,
        },
      },
    },
    // A channel can subscribe to another only once.
    lookup: {
      method: "subscriptions.list",
      params: { part: ["snippet"], mine: true },
      from: { forChannelId: "snippet.resourceId.channelId" },
      same: ["snippet.resourceId.channelId"],
    },
    result: { kind: "one", resource: "Subscription" },
  },
  "subscriptions.delete": {
    ...deleteFacts,
    path: "/subscriptions",
    title: "End a subscription",
    query: {
      id: { type: "string", about: "The subscription, not the channel", required: true },
    },
  },
} as const satisfies Record<string, MethodSpec>;
