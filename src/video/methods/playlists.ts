import { deleteFacts, insertFacts, readFacts, updateFacts } from "./facts.ts";
import {
  hl,
  localizations,
  maxIds,
  maxResults,
  onBehalfOfContentOwner,
  onBehalfOfContentOwnerChannel,
  pageToken,
  privacyStatus,
  readPart,
  writtenPart,
} from "./params.ts";
import type { FieldSpec, MethodSpec } from "./spec.ts";

const parts = ["contentDetails", "id", "localizations", "player", "snippet", "status"] as const;

// Limits of length are documented nowhere, so only YouTube checks them: docs/services/youtube.md#playlists
const title = { type: "string", about: "Title" } as const satisfies FieldSpec;

const settings = {
  "snippet.description": { type: "string", about: "Description" },
  "snippet.defaultLanguage": {
    type: "string",
    about: "Language of the title and the description",
  },
  "status.privacyStatus": privacyStatus,
  ...localizations,
} as const satisfies Readonly<Record<string, FieldSpec>>;

export const playlistMethods = {
  "playlists.list": {
    ...readFacts,
    path: "/playlists",
    title: "Show playlists",
    query: {
      part: { ...readPart, enum: parts },
      id: { type: "string", about: "Playlists by id", repeated: true, maxItems: maxIds },
      mine: { type: "boolean", about: "Your own playlists; needs a token", needsToken: true },
      channelId: { type: "string", about: "The channel whose public playlists are listed" },
      hl,
      maxResults,
      pageToken,
      onBehalfOfContentOwner,
      onBehalfOfContentOwnerChannel,
    },
    filters: { exactlyOne: ["channelId", "id", "mine"] },
    result: { kind: "list", resource: "Playlist" },
  },
  "playlists.insert": {
    ...insertFacts,
    path: "/playlists",
    title: "Create a playlist",
    query: {
      part: { ...writtenPart, enum: parts },
      onBehalfOfContentOwner,
      onBehalfOfContentOwnerChannel,
    },
    body: {
      resource: "Playlist",
      fields: { "snippet.title": { ...title, required: true }, ...settings },
    },
    lookup: {
      method: "playlists.list",
      params: { part: ["snippet"], mine: true, maxResults: 50 },
      same: ["snippet.title"],
      madeAt: "snippet.publishedAt",
    },
    result: { kind: "one", resource: "Playlist" },
  },
  "playlists.update": {
    ...updateFacts,
    path: "/playlists",
    title: "Change a playlist",
    query: { part: { ...writtenPart, enum: parts }, onBehalfOfContentOwner },
    body: {
      resource: "Playlist",
      fields: {
        id: { type: "string", about: "The playlist to change", required: true },
        "snippet.title": { ...title, required: "with-part" },
        ...settings,
        "status.podcastStatus": {
          type: "string",
          about: "Whether it is a podcast",
          enum: ["enabled", "disabled"],
        },
      },
    },
    reads: "playlists.list",
    result: { kind: "one", resource: "Playlist" },
  },
  "playlists.delete": {
    ...deleteFacts,
    path: "/playlists",
    title: "Delete a playlist",
    query: {
      id: { type: "string", about: "The playlist to delete", required: true },
      onBehalfOfContentOwner,
    },
  },
} as const satisfies Record<string, MethodSpec>;
