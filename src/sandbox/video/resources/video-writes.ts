import { checkUnchanged, ownChannel, ownVideo } from "../access.ts";
import { type Body, flagAt, textAt, textsAt, timeAt } from "../body.ts";
import type { Call, Handler, UploadedMedia } from "../call.ts";
import { languageAt, readLocalizations } from "../locale.ts";
import { badBody } from "../refusal.ts";
import { categories, defaultCategory, mintId, newVideo, type Video } from "../world/index.ts";
import { toVideo } from "./videos.ts";

/** How long an upload is processed before it can be watched. */
const processingMs = 2_000;
/** Nothing looks into the file: its length is taken from its size. */
const bytesPerSecond = 250_000;

export const videoWrites = {
  "videos.insert": (call) => {
    if (call.media === undefined) throw badBody("video", "mediaBodyRequired");
    const hasBody = Object.keys(call.body).length > 0;
    const changes = hasBody ? readChanges(call, undefined) : {};
    const video = { ...emptyVideo(call, call.media), ...changes };
    call.world.videos.set(video.id, video);
    return toVideo(call, video);
  },
  "videos.update": (call) => {
    const video = ownVideo(call, textAt(call.body, "id") ?? "", "id");
    checkUnchanged(call, toVideo(call, video));
    const { privacy } = video;
    Object.assign(video, readChanges(call, video));
    // What was private is published when everybody may see it (videos resource, snippet.publishedAt).
    if (privacy !== "public" && video.privacy === "public") video.publishedAt = call.now;
    return toVideo(call, video);
  },
  "videos.delete": (call) => {
    const { world, query } = call;
    const { id } = ownVideo(call, query.text("id") ?? "", "id");
    world.videos.delete(id);
    for (const [trackId, { videoId }] of world.captions) {
      if (videoId === id) world.captions.delete(trackId);
    }
    return undefined;
  },
} as const satisfies Record<string, Handler>;

function emptyVideo(call: Call, { type, size, hash }: UploadedMedia): Video {
  const { world, now } = call;
  const id = mintId(world, "video", 11);
  return newVideo({
    id,
    channelId: ownChannel(call).id,
    title: "Untitled",
    publishedAt: now,
    seconds: Math.min(43_200, Math.max(1, Math.round(size / bytesPerSecond))),
    madeForKids: undefined,
    file: { name: `${id}.mp4`, type, size, hash, processedAt: now + processingMs },
  });
}

/** What all tags may hold together, quotes and commas not counted (facts/video-api.json, limits.text). */
const maxTagChars = 500;

const reasons = {
  resource: "video",
  noLanguage: "defaultLanguageNotSet",
  invalid: "invalidVideoMetadata",
} as const;

/**
 * What a write changes: every field of the parts it names. A field that the body leaves out goes back to what it is
 * without being set, because writes replace.
 */
function readChanges(call: Call, before: Pick<Video, "language"> | undefined): Partial<Video> {
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
