import type { FieldSpec, ParamSpec } from "./spec.ts";

/** Facts that many methods share. A row adds `enum`, and whatever else is its own. */

export const part = {
  type: "string",
  about: "Sections of the resource to answer with",
  required: true,
  repeated: true,
} as const satisfies ParamSpec;

/** In a write, what `part` leaves out is neither stored nor answered. */
export const writtenPart = {
  ...part,
  about: "Sections of the resource to write and to answer with",
} as const satisfies ParamSpec;

/** The ceiling of one call (facts, limits.idsPerCall); the client splits longer lists. */
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

/** What a list of comments says of its texts. */
export const textFormat = {
  type: "string",
  about: "Comments as HTML or as plain text",
  enum: ["html", "plainText"],
  default: "html",
} as const satisfies ParamSpec;

/** How a list of comments is turned over. */
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
