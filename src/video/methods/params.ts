import type { FieldSpec, ParamSpec } from "./spec.ts";

/* Parameters and fields that many methods share. The spec of a method adds `enum`, and whatever else is its own. */

export const readPart = {
  type: "string",
  about: "Sections of the resource to answer with",
  required: true,
  repeated: true,
} as const satisfies ParamSpec;

/** In a write, parts that `part` does not name are neither stored nor answered. */
export const writtenPart = {
  ...readPart,
  about: "Sections of the resource to write and to answer with",
} as const satisfies ParamSpec;

/** Most ids of one call (docs/services/youtube.md#ids-of-one-call); the client splits longer lists. */
export const maxIds = 50;

export const maxResults = {
  type: "integer",
  about: "Results on a page",
  min: 0,
  max: 50,
  default: 5,
} as const satisfies ParamSpec;

export const pageToken = {
  type: "string",
  about: "Where to go on, from the previous answer",
} as const satisfies ParamSpec;

export const hl = {
  type: "string",
  about: "Language of localized texts",
} as const satisfies ParamSpec;

export const onBehalfOfContentOwner = {
  type: "string",
  about: "Partners only: id of the content owner acted for",
  needsToken: true,
  forContentOwners: true,
} as const satisfies ParamSpec;

export const onBehalfOfContentOwnerChannel = {
  type: "string",
  about: "A partner acts for this channel of the content owner",
  needs: { onBehalfOfContentOwner: true },
  needsToken: true,
  forContentOwners: true,
} as const satisfies ParamSpec;

/** The format of texts in a list of comments. */
export const textFormat = {
  type: "string",
  about: "Comments as HTML or as plain text",
  enum: ["html", "plainText"],
  default: "html",
} as const satisfies ParamSpec;

/** Paging parameters of a list of comments. */
export const commentPages = {
  maxResults: {
    type: "integer",
    about: "Results on a page; not with id",
    min: 1,
    max: 100,
    default: 20,
    notWith: ["id"],
  },
  pageToken: {
    type: "string",
    about: "Where to go on, from the previous answer; not with id",
    notWith: ["id"],
  },
} as const satisfies Readonly<Record<string, ParamSpec>>;

export const privacyStatus = {
  type: "string",
  about: "Who can see it",
  enum: ["public", "unlisted", "private"],
} as const satisfies FieldSpec;

/** Titles and descriptions in other languages, by language code. */
export const localizations = {
  "localizations.*.title": { type: "string", about: "Title in that language" },
  "localizations.*.description": { type: "string", about: "Description in that language" },
} as const satisfies Readonly<Record<string, FieldSpec>>;

/**
 * Parameters that every method takes. Credentials, the upload protocol and the format of the answer are left out, because
 * the client chooses them.
 */
export const commonParams = {
  fields: {
    type: "string",
    about: "Which fields to answer with, like items(id,snippet/title),nextPageToken",
  },
  quotaUser: {
    type: "string",
    about: "Whom the service counts the call to",
    maxChars: 40,
  },
} as const satisfies Readonly<Record<string, ParamSpec>>;
