import { deleteFacts, insertFacts, readFacts, updateFacts } from "./facts.ts";
import {
  maxIds,
  maxResults,
  onBehalfOfContentOwner,
  pageToken,
  readPart,
  writtenPart,
} from "./params.ts";
import type { FieldSpec, MethodSpec } from "./spec.ts";

const parts = ["contentDetails", "id", "snippet", "status"] as const;

const playlistId = { type: "string", about: "The playlist" } as const satisfies FieldSpec;
const resourceId = { type: "resourceId", about: "The video" } as const satisfies FieldSpec;

const placing = {
  "snippet.position": { type: "integer", about: "Place in the playlist, from 0", min: 0 },
  "contentDetails.note": { type: "string", about: "A note of the owner", maxChars: 280 },
} as const satisfies Readonly<Record<string, FieldSpec>>;

export const playlistItemMethods = {
  "playlistItems.list": {
    ...readFacts,
    path: "/playlistItems",
    title: "Show what is in a playlist",
    query: {
      part: { ...readPart, enum: parts },
      id: { type: "string", about: "Items by their own id", repeated: true, maxItems: maxIds },
      playlistId: { type: "string", about: "The playlist to open" },
      videoId: { type: "string", about: "Only items that hold this video" },
      maxResults,
      pageToken,
      onBehalfOfContentOwner,
    },
    filters: { exactlyOne: ["id", "playlistId"] },
    result: { kind: "list", resource: "PlaylistItem" },
  },
  "playlistItems.insert": {
    ...insertFacts,
    path: "/playlistItems",
    title: "Add a video to a playlist",
    query: { part: { ...writtenPart, enum: parts }, onBehalfOfContentOwner },
    body: {
      resource: "PlaylistItem",
      fields: {
        "snippet.playlistId": { ...playlistId, required: true },
        "snippet.resourceId": { ...resourceId, required: true },
        ...placing,
      },
    },
    lookup: {
      method: "playlistItems.list",
      params: { part: ["snippet"], maxResults: 50 },
      from: { playlistId: "snippet.playlistId", videoId: "snippet.resourceId.videoId" },
      same: ["snippet.resourceId.videoId"],
      madeAt: "snippet.publishedAt",
    },
    result: { kind: "one", resource: "PlaylistItem" },
  },
  "playlistItems.update": {
    ...updateFacts,
    path: "/playlistItems",
    title: "Move a video in a playlist, or note something on it",
    query: { part: { ...writtenPart, enum: parts }, onBehalfOfContentOwner },
    body: {
      resource: "PlaylistItem",
      fields: {
        id: { type: "string", about: "The item, not its video", required: true },
        "snippet.playlistId": { ...playlistId, required: "with-part" },
        "snippet.resourceId": { ...resourceId, required: "with-part" },
        ...placing,
      },
    },
    reads: "playlistItems.list",
    result: { kind: "one", resource: "PlaylistItem" },
  },
  "playlistItems.delete": {
    ...deleteFacts,
    path: "/playlistItems",
    title: "Take a video out of a playlist",
    query: {
      id: { type: "string", about: "The item, not its video", required: true },
      onBehalfOfContentOwner,
    },
  },
} as const satisfies Record<string, MethodSpec>;
