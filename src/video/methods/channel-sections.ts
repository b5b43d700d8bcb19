import { deleteFacts, insertFacts, readFacts, updateFacts } from "./facts.ts";
import {
  maxIds,
  onBehalfOfContentOwner,
  onBehalfOfContentOwnerChannel,
  readPart,
  writtenPart,
} from "./params.ts";
import type { FieldSpec, MethodSpec } from "./spec.ts";

const parts = ["contentDetails", "id", "snippet"] as const;

const type = {
  type: "string",
  about: "What the section shows",
  enum: [
    "singlePlaylist",
    "multiplePlaylists",
    "popularUploads",
    "recentUploads",
    "likes",
    "allPlaylists",
    "likedPlaylists",
    "recentPosts",
    "recentActivity",
    "liveEvents",
    "upcomingEvents",
    "completedEvents",
    "multipleChannels",
    "postedVideos",
    "postedPlaylists",
    "subscriptions",
  ],
} as const satisfies FieldSpec;

const contents = {
  "snippet.title": {
    type: "string",
    about: "Heading; sections of several playlists or channels need one",
  },
  "snippet.position": { type: "integer", about: "Place on the channel's page, from 0", min: 0 },
  "contentDetails.playlists": { type: "strings", about: "Playlists that it shows" },
  "contentDetails.channels": { type: "strings", about: "Channels that it shows" },
} as const satisfies Readonly<Record<string, FieldSpec>>;

export const channelSectionMethods = {
  "channelSections.list": {
    ...readFacts,
    path: "/channelSections",
    title: "Show the sections of a channel's page",
    query: {
      part: { ...readPart, enum: parts },
      id: { type: "string", about: "Sections by id", repeated: true, maxItems: maxIds },
      mine: {
        type: "boolean",
        about: "Sections of your own channel; needs a token",
        needsToken: true,
      },
      channelId: { type: "string", about: "The channel whose sections are listed" },
      hl: { type: "string", about: "Has no effect any more", deprecated: true },
      onBehalfOfContentOwner,
    },
    filters: { exactlyOne: ["channelId", "id", "mine"] },
    result: { kind: "list", resource: "ChannelSection" },
  },
  "channelSections.insert": {
    ...insertFacts,
    path: "/channelSections",
    title: "Add a section to the channel's page",
    query: {
      part: { ...writtenPart, enum: parts },
      onBehalfOfContentOwner,
      onBehalfOfContentOwnerChannel,
    },
    body: {
      resource: "ChannelSection",
      fields: { "snippet.type": { ...type, required: true }, ...contents },
    },
    // Sections have no time. One with the same content and heading is what was asked for, whoever created it.
    lookup: {
      method: "channelSections.list",
      params: { part: ["snippet", "contentDetails"], mine: true },
      same: [
        "snippet.type",
        "snippet.title",
        "contentDetails.playlists",
        "contentDetails.channels",
      ],
    },
    result: { kind: "one", resource: "ChannelSection" },
  },
  "channelSections.update": {
    ...updateFacts,
    path: "/channelSections",
    title: "Change a section of the channel's page",
    query: { part: { ...writtenPart, enum: parts }, onBehalfOfContentOwner },
    body: {
      resource: "ChannelSection",
      fields: {
        id: { type: "string", about: "The section to change", required: true },
        "snippet.type": { ...type, required: "with-part" },
        ...contents,
      },
    },
    reads: "channelSections.list",
    result: { kind: "one", resource: "ChannelSection" },
  },
  "channelSections.delete": {
    ...deleteFacts,
    path: "/channelSections",
    title: "Delete a section of the channel's page",
    query: {
      id: { type: "string", about: "The section to delete", required: true },
      onBehalfOfContentOwner,
    },
  },
} as const satisfies Record<string, MethodSpec>;
