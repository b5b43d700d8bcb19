import { type Body, flagAt, textAt, textsAt, timeAt } from "../body.ts";
import type { Call } from "../call.ts";
import { languageAt, readLocalizations } from "../localized.ts";
import { badBody } from "../refusal.ts";
import { categories, type Video } from "../world/index.ts";

/** What all tags may hold together, quotes and commas not counted (facts/video-api.json, limits.text). */
const maxTagChars = 500;

/** People & Blogs: where the service puts an upload that names none. */
export const defaultCategory = "22";

const reasons = {
  resource: "video",
  noLanguage: "defaultLanguageNotSet",
  invalid: "invalidVideoMetadata",
} as const;

/**
 * What a write changes: every field of the parts it names. A field that the body leaves out goes back to what it is
 * without being set, because writes replace.
 */
export function readChanges(
  call: Call,
  before: Pick<Video, "language"> | undefined,
): Partial<Video> {
  const parts = call.query.list("part");
  const changes: Partial<Video> = {};
  for (const part of parts) Object.assign(changes, readers[part]?.(call));
  if (!parts.includes("localizations")) return changes;
  const language = parts.includes("snippet") ? changes.language : before?.language;
  return { ...changes, localizations: readLocalizations(call.body, language, reasons) };
}

const readers: Readonly<Record<string, (call: Call) => Partial<Video>>> = {
  snippet: ({ body }) => ({
    title: textAt(body, "snippet.title")?.trim() ?? "",
    description: textAt(body, "snippet.description") ?? "",
    tags: readTags(body),
    categoryId: readCategory(body),
    language: languageAt(body, "snippet.defaultLanguage", reasons),
  }),
  status: ({ body, now }) => ({
    // Nothing said means public since November 2026 (facts/video-api.json, changes2026).
    privacy: (textAt(body, "status.privacyStatus") as Video["privacy"] | undefined) ?? "public",
    publishAt: readPublishAt(body, now),
    license: (textAt(body, "status.license") as Video["license"] | undefined) ?? "youtube",
    embeddable: flagAt(body, "status.embeddable") ?? true,
    statsViewable: flagAt(body, "status.publicStatsViewable") ?? true,
    madeForKids: flagAt(body, "status.selfDeclaredMadeForKids"),
    synthetic: flagAt(body, "status.containsSyntheticMedia"),
  }),
  recordingDetails: ({ body }) => ({ recordedAt: timeAt(body, "recordingDetails.recordingDate") }),
  paidProductPlacementDetails: ({ body }) => ({
    isPromotion: flagAt(body, "paidProductPlacementDetails.hasPaidProductPlacement") ?? false,
  }),
};

function readTags(body: Body): readonly string[] {
  const tags = textsAt(body, "snippet.tags") ?? [];
  const isFine = tags.join("").length <= maxTagChars && !tags.some((tag) => /[<>]/.test(tag));
  if (!isFine) throw badBody("video", "invalidTags", "snippet.tags");
  return tags;
}

/** An update that names none was refused before. */
function readCategory(body: Body): string {
  const given = textAt(body, "snippet.categoryId") ?? defaultCategory;
  const known = categories.find(({ id, isAssignable }) => id === given && isAssignable);
  if (known === undefined) throw badBody("video", "invalidCategoryId", "snippet.categoryId");
  return known.id;
}

function readPublishAt(body: Body, now: number): number | undefined {
  const time = timeAt(body, "status.publishAt");
  if (time === undefined || time > now) return time;
  throw badBody("video", "invalidPublishAt", "status.publishAt");
}
