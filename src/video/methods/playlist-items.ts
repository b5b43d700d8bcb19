import {
  maxIds,
  maxResults,
  onBehalfOfContentOwner,
  pageToken,
  part,
  writtenPart,
} from "./params.ts";
import type { FieldSpec, MethodSpec } from "./spec.ts";

const parts = ["contentDetails", "id", "snippet", "status"] as const;
const writeScopes = ["youtube", "youtube.force-ssl", "youtubepartner"] as const;

const playlistId = { type: "string", about: "The playlist" } as const satisfies FieldSpec;
const resourceId = { type: "resourceId", about: "The video" } as const satisfies FieldSpec;

const placing = {
  "snippet.position": { type: "integer", about: "Place in the playlist, from 0", min: 0 },
  "contentDetails.note": { type: "string", about: "A note of the owner", maxChars: 280 },
} as const satisfies Readonly<Record<string, FieldSpec>>;

export const playlistItems = {
  "playlistItems.list": {
    verb: "GET",
    path: "/playlistItems",
    title: "Show what is in a playlist",
    auth: "key-or-token",
    scopes: ["youtube", "youtube.force-ssl", "youtube.readonly", "youtubepartner"],
    bucket: "units",
    cost: 1,
    effect: "read",
    retry: "read",
    query: {
      part: { ...part, enum: parts },
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
    verb: "POST",
    path: "/playlistItems",
    title: "Add a video to a playlist",
    auth: "token",
    scopes: writeScopes,
    bucket: "units",
    cost: 50,
    effect: "write",
    retry: "create",
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
    verb: "PUT",
    path: "/playlistItems",
    title: "Move a video in a playlist, or note something on it",
    auth: "token",
    scopes: writeScopes,
    bucket: "units",
    cost: 50,
    effect: "write",
    retry: "set",
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
    verb: "DELETE",
    path: "/playlistItems",
    title: "Take a video out of a playlist",
    auth: "token",
    scopes: writeScopes,
    bucket: "units",
    cost: 50,
    effect: "destroy",
    retry: "delete",
    query: {
      id: { type: "string", about: "The item, not its video", required: true },
      onBehalfOfContentOwner,
    },
  },
} as const satisfies Record<string, MethodSpec>;
