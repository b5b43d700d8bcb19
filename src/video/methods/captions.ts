import { deleteFacts, insertFacts, readFacts, updateFacts } from "./facts.ts";
import { maxIds, onBehalfOfContentOwner, readPart, writtenPart } from "./params.ts";
import type { MediaSpec, MethodSpec, ParamSpec } from "./spec.ts";

/** Broader scopes do not reach captions: docs/services/youtube.md#credentials-and-scopes */
const scopes = ["youtube.force-ssl", "youtubepartner"] as const;

const onBehalfOf = {
  type: "string",
  about: "Has no effect any more",
  deprecated: true,
} as const satisfies ParamSpec;

const sync = {
  type: "boolean",
  about: "Has no effect any more: the file must hold its times",
  deprecated: true,
} as const satisfies ParamSpec;

const file = {
  direction: "up",
  maxBytes: 100 * 1024 * 1024,
  accept: ["text/xml", "application/octet-stream", "*/*"],
  protocol: "multipart",
} as const satisfies MediaSpec;

const parts = ["id", "snippet"] as const;

export const captionMethods = {
  "captions.list": {
    ...readFacts,
    path: "/captions",
    title: "Show the captions of a video",
    auth: "token",
    scopes,
    cost: 50,
    query: {
      videoId: { type: "string", about: "The video whose captions are listed", required: true },
      part: { ...readPart, enum: parts },
      id: {
        type: "string",
        about: "Only these captions of the video",
        repeated: true,
        maxItems: maxIds,
      },
      onBehalfOf,
      onBehalfOfContentOwner,
    },
    result: { kind: "list", resource: "Caption" },
  },
  "captions.insert": {
    ...insertFacts,
    path: "/captions",
    title: "Add captions to a video",
    scopes,
    cost: 400,
    query: {
      part: { ...writtenPart, enum: parts },
      sync,
      onBehalfOf,
      onBehalfOfContentOwner,
    },
    body: {
      resource: "Caption",
      fields: {
        "snippet.videoId": { type: "string", about: "The video they belong to", required: true },
        "snippet.language": {
          type: "string",
          about: "Their language, like en or pt-BR",
          required: true,
        },
        // The main captions of a language have an empty name.
        "snippet.name": {
          type: "string",
          about: "Name that viewers see; empty for the main ones of a language",
          required: true,
          mayBeEmpty: true,
          maxChars: 150,
        },
        "snippet.isDraft": { type: "boolean", about: "Not shown to viewers yet" },
      },
    },
    // A video has at most one track of a language and a name.
    lookup: {
      method: "captions.list",
      params: { part: ["snippet"] },
      from: { videoId: "snippet.videoId" },
      same: ["snippet.language", "snippet.name"],
    },
    result: { kind: "one", resource: "Caption" },
    media: file,
  },
  "captions.update": {
    ...updateFacts,
    path: "/captions",
    title: "Replace captions, or show or hide them",
    scopes,
    cost: 450,
    query: {
      part: { ...writtenPart, enum: parts },
      sync,
      onBehalfOf,
      onBehalfOfContentOwner,
    },
    body: {
      resource: "Caption",
      fields: {
        id: { type: "string", about: "The captions to change", required: true },
        "snippet.isDraft": { type: "boolean", about: "Not shown to viewers yet" },
      },
    },
    result: { kind: "one", resource: "Caption" },
    // A new draft status, a new file, or both.
    media: { ...file, optional: true },
  },
  "captions.download": {
    ...readFacts,
    path: "/captions/{id}",
    title: "Download captions",
    auth: "token",
    scopes,
    cost: 200,
    query: {
      id: { type: "string", about: "The captions to download", required: true },
      tlang: { type: "string", about: "Translated by machine into this language (ISO 639-1)" },
      tfmt: {
        type: "string",
        about: "Format of the file; the one that was uploaded when left out",
        enum: ["sbv", "scc", "srt", "ttml", "vtt"],
      },
      onBehalfOf,
      onBehalfOfContentOwner,
    },
    media: { direction: "down" },
  },
  "captions.delete": {
    ...deleteFacts,
    path: "/captions",
    title: "Delete captions",
    scopes,
    query: {
      id: { type: "string", about: "The captions to delete", required: true },
      onBehalfOf,
      onBehalfOfContentOwner,
    },
  },
} as const satisfies Record<string, MethodSpec>;
