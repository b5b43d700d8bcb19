import {
  maxIds,
  maxResults,
  onBehalfOfContentOwner,
  onBehalfOfContentOwnerChannel,
  pageToken,
  part,
  writtenPart,
} from "./params.ts";
import type { MethodSpec } from "./spec.ts";

const parts = ["contentDetails", "id", "snippet", "subscriberSnippet"] as const;
const writeScopes = ["youtube", "youtube.force-ssl", "youtubepartner"] as const;

export const subscriptions = {
  "subscriptions.list": {
    verb: "GET",
    path: "/subscriptions",
    title: "Show subscriptions, or the channel's subscribers",
    auth: "key-or-token",
    scopes: ["youtube", "youtube.force-ssl", "youtube.readonly", "youtubepartner"],
    bucket: "units",
    cost: 1,
    effect: "read",
    retry: "read",
    query: {
      part: { ...part, enum: parts },
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
    verb: "POST",
    path: "/subscriptions",
    title: "Subscribe to a channel",
    auth: "token",
    scopes: writeScopes,
    bucket: "units",
    cost: 50,
    effect: "write",
    retry: "create",
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
    // A channel is subscribed to another once.
    lookup: {
      method: "subscriptions.list",
      params: { part: ["snippet"], mine: true },
      from: { forChannelId: "snippet.resourceId.channelId" },
      same: ["snippet.resourceId.channelId"],
    },
    result: { kind: "one", resource: "Subscription" },
  },
  "subscriptions.delete": {
    verb: "DELETE",
    path: "/subscriptions",
    title: "End a subscription",
    auth: "token",
    scopes: writeScopes,
    bucket: "units",
    cost: 50,
    effect: "destroy",
    retry: "delete",
    query: {
      id: { type: "string", about: "The subscription, not the channel", required: true },
    },
  },
} as const satisfies Record<string, MethodSpec>;
