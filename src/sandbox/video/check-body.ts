import type { FieldSpec, MethodSpec } from "../../video/index.ts";
import { ApiError, badBody } from "./api-error.ts";
import { type JsonBody, valueAt } from "./json-body.ts";

/** Why a field is refused, by resource and place; what is not listed is `required` or `badRequest`. */
const reasons: Readonly<Record<string, Readonly<Record<string, FieldReasons>>>> = bodyReasons;

interface FieldReasons {
  readonly missing?: string;
  /** When the whole part that the field belongs to is missing; like `missing` when absent. */
  readonly missingPart?: string;
  readonly empty?: string;
  readonly invalid?: string;
}

interface BodyField {
  readonly place: string;
  readonly spec: FieldSpec;
  readonly body: JsonBody;
  readonly resource: string;
  readonly values: readonly unknown[];
}

/**
 * Refuses a body that YouTube would refuse before it looks at its own data. Fields that the spec does not list are
 * ignored, because clients send whole resources back; fields that `part` does not name are only checked for their type.
 */
export function checkRequestBody(
  { body: known }: MethodSpec,
  body: JsonBody,
  parts: readonly string[],
): void {
  if (known === undefined) return;
  if (known.optional === true && Object.keys(body).length === 0) return;
  const fields = Object.entries(known.fields).map(([place, spec]) => {
    return { place, spec, body, resource: known.resource, values: valuesAt(body, place) };
  });
  for (const { place, spec, values } of fields) {
    if (values.every((value) => hasType(value, spec.type))) continue;
    const message = `Invalid value at '${place}' (${spec.type}).`;
    throw new ApiError(400, { reason: "badRequest", message, place: { other: `body.${place}` } });
  }
  for (const field of fields) {
    const [part = "", isInPart] = field.place.split(".");
    const isNamed = parts.includes(part);
    checkPresence(field, isNamed);
    if (isNamed || isInPart === undefined)
      for (const value of field.values) checkValue(field, value);
  }
}

/** Every value at a field's place; `*` stands for each key of an object. */
function valuesAt(body: JsonBody, place: string): unknown[] {
  const [before, after] = place.split(".*.");
  if (after === undefined) return [valueAt(body, place)].filter((value) => value != null);
  const entries = valueAt(body, before ?? "");
  if (typeof entries !== "object" || entries === null) return [];
  return Object.values(entries)
    .map((entry) => valueAt({ entry }, `entry.${after}`))
    .filter((value) => value != null);
}

function checkPresence(field: BodyField, isNamed: boolean): void {
  const { place, spec, body, resource } = field;
  if (spec.required !== true && !(spec.required === "with-part" && isNamed)) return;
  const [value] = field.values;
  const isEmpty = value === "" && spec.mayBeEmpty !== true;
  if (value !== undefined && !isEmpty) return;
  const { missing = "required", ...reasons } = bodyReasons[resource]?.[place] ?? {};
  const hasPart = body[place.split(".")[0] ?? ""] !== undefined;
  const special = isEmpty ? reasons.empty : hasPart ? undefined : reasons.missingPart;
  throw badField(field, special ?? missing);
}

function hasType(value: unknown, type: FieldSpec["type"]): boolean {
  const isText = typeof value === "string";
  switch (type) {
    case "string":
    case "datetime":
      return isText;
    case "integer":
      return Number.isInteger(value) || (isText && /^-?\d{1,10}$/.test(value));
    case "uint64":
      return Number.isInteger(value) || (isText && /^-?\d{1,20}$/.test(value));
    case "boolean":
      return typeof value === "boolean";
    case "strings":
      return Array.isArray(value) && value.every((entry) => typeof entry === "string");
    case "resourceId":
    case "object":
      return typeof value === "object" && !Array.isArray(value);
  }
}

function checkValue(field: BodyField, value: unknown): void {
  const { place, spec, body, resource } = field;
  const hasCompany = Object.entries(spec.needs ?? {}).every(
    ([other, wanted]) => valueAt(body, other) === wanted,
  );
  if (hasCompany && isWithin(spec, value)) return;
  throw badField(field, bodyReasons[resource]?.[place]?.invalid ?? "badRequest");
}

function isWithin(spec: FieldSpec, value: unknown): boolean {
  const { min = -Infinity, max = Infinity, maxChars = Infinity, maxBytes = Infinity } = spec;
  const text = Array.isArray(value) ? value.join("") : String(value);
  if (spec.type === "integer") return Number(value) >= min && Number(value) <= max;
  if (spec.type === "datetime" && Number.isNaN(Date.parse(text))) return false;
  if (spec.enum?.includes(text) === false) return false;
  if ([...(spec.forbids ?? "")].some((letter) => text.includes(letter))) return false;
  return [...text].length <= maxChars && Buffer.byteLength(text) <= maxBytes;
}

function badField({ place, resource }: BodyField, reason: string): ApiError {
  const isGeneral = reason === "required" || reason === "badRequest";
  const name = resource.charAt(0).toLowerCase() + resource.slice(1);
  return badBody(isGeneral ? "" : name, reason, place);
}

/** Why a field is refused, as the method's page below https://developers.google.com/youtube/v3/docs names it. */
interface FieldReasons {
  readonly missing?: string;
  /** When the whole part is missing; like `missing` when absent. */
  readonly missingPart?: string;
  /** Like `missing` when absent. */
  readonly empty?: string;
  readonly invalid?: string;
}

const branding = { invalid: "brandingValidationError" } as const;

/** By resource and place; what is not listed is `required` or `badRequest`. */
const bodyReasons: Readonly<Record<string, Readonly<Record<string, FieldReasons>>>> = {
  Video: {
    "snippet.title": {
      missing: "invalidVideoMetadata",
      empty: "invalidTitle",
      invalid: "invalidTitle",
    },
    "snippet.categoryId": {
      missing: "invalidVideoMetadata",
      empty: "invalidCategoryId",
      invalid: "invalidCategoryId",
    },
    "snippet.description": { invalid: "invalidDescription" },
    "snippet.tags": { invalid: "invalidTags" },
    "status.privacyStatus": { invalid: "invalidVideoMetadata" },
    "status.license": { invalid: "invalidVideoMetadata" },
    "status.publishAt": { invalid: "invalidPublishAt" },
    "recordingDetails.recordingDate": { invalid: "invalidRecordingDetails" },
  },
  VideoAbuseReport: { reasonId: { missing: "invalidAbuseReason" } },
  Playlist: {
    "snippet.title": { missing: "playlistTitleRequired", invalid: "invalidPlaylistSnippet" },
    "snippet.description": { invalid: "invalidPlaylistSnippet" },
  },
  PlaylistItem: {
    "snippet.playlistId": { missing: "playlistIdRequired" },
    "snippet.resourceId": { missing: "resourceIdRequired" },
    "snippet.position": { invalid: "invalidPlaylistItemPosition" },
    "contentDetails.note": { invalid: "invalidContentDetails" },
  },
  Channel: {
    "brandingSettings.channel.description": branding,
    "brandingSettings.channel.keywords": branding,
    "brandingSettings.channel.country": branding,
    "brandingSettings.channel.defaultLanguage": branding,
    "brandingSettings.channel.unsubscribedTrailer": branding,
    "brandingSettings.image.bannerExternalUrl": branding,
  },
  ChannelSection: {
    id: { missing: "idRequired" },
    "snippet.type": { missing: "typeRequired", missingPart: "snippetNeeded" },
    "snippet.title": { invalid: "titleLengthExceeded" },
    "snippet.position": { invalid: "inValidPosition" },
  },
  Caption: {
    "snippet.videoId": { missing: "invalidMetadata" },
    "snippet.language": { missing: "invalidMetadata" },
    "snippet.name": { missing: "invalidMetadata", invalid: "nameTooLong" },
  },
  CommentThread: {
    "snippet.channelId": { missing: "channelOrVideoIdMissing" },
    "snippet.topLevelComment.snippet.textOriginal": {
      missing: "commentTextRequired",
      invalid: "commentTextTooLong",
    },
  },
  Comment: {
    "snippet.parentId": { missing: "parentIdMissing" },
    "snippet.textOriginal": { missing: "commentTextRequired", invalid: "commentTextTooLong" },
  },
  Subscription: { "snippet.resourceId": { missing: "publisherRequired" } },
};
