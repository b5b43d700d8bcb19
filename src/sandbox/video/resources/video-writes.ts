import {
  checkUnchanged,
  editableVideo,
  ownChannel,
  requireViewer,
  visibleVideo,
} from "../access.ts";
import type { ApiCall, Handler, UploadedMedia } from "../call.ts";
import {
  defaultCategory,
  inLanguage,
  mintId,
  newVideo,
  type StoredVideo,
  sampleAbuseReasons,
  sampleCategories,
} from "../data/index.ts";
import { flagAt, type JsonBody, textAt, textsAt, timeAt } from "../json-body.ts";
import { languageAt, readLanguage, readLocalizations } from "../locale.ts";
import { badBody } from "../refusal.ts";
import { toList, toResource } from "../resource.ts";
import { toVideo } from "./videos.ts";

/** How long an upload is processed before it can be watched. */
const processingMs = 2_000;
/** The file is not analysed: its length is estimated from its size. */
const bytesPerSecond = 250_000;

export const videoWriteHandlers = {
  "videos.insert": (call) => {
    if (call.media === undefined) throw badBody("video", "mediaBodyRequired");
    const hasBody = Object.keys(call.body).length > 0;
    const changes = hasBody ? readChanges(call, undefined) : {};
    const video = { ...emptyVideo(call, call.media), ...changes };
    call.state.videos.set(video.id, video);
    return toVideo(call, video);
  },
  "videos.update": (call) => {
    const video = editableVideo(call, textAt(call.body, "id") ?? "", "id");
    checkUnchanged(call, toVideo(call, video));
    const { privacy } = video;
    Object.assign(video, readChanges(call, video));
    // What was private is published when everybody may see it (videos resource, snippet.publishedAt).
    if (privacy !== "public" && video.privacy === "public") video.publishedAt = call.now;
    return toVideo(call, video);
  },
  "videos.delete": (call) => {
    const { state, query } = call;
    const { id } = editableVideo(call, query.text("id") ?? "", "id");
    state.videos.delete(id);
    for (const [trackId, { videoId }] of state.captions) {
      if (videoId === id) state.captions.delete(trackId);
    }
    return undefined;
  },
} as const satisfies Record<string, Handler>;

function emptyVideo(call: ApiCall, { type, size, hash }: UploadedMedia): StoredVideo {
  const { state, now } = call;
  const id = mintId(state, "video", 11);
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

/** What all tags may hold together, with commas between them and quotes around those with spaces. */
const maxTagChars = 500;

const reasons = {
  resource: "video",
  noLanguage: "defaultLanguageNotSet",
  invalid: "invalidVideoMetadata",
} as const;

/**
 * What a write changes: every field of the parts it names. A field that the body leaves out returns to its default
 * without being set, because writes replace.
 */
function readChanges(
  call: ApiCall,
  before: Pick<StoredVideo, "language"> | undefined,
): Partial<StoredVideo> {
  const parts = call.query.list("part");
  const changes: Partial<StoredVideo> = {};
  for (const part of parts) Object.assign(changes, readers[part]?.(call));
  if (!parts.includes("localizations")) return changes;
  const language = parts.includes("snippet") ? changes.language : before?.language;
  return { ...changes, localizations: readLocalizations(call.body, language, reasons) };
}

const readers: Readonly<Record<string, (call: ApiCall) => Partial<StoredVideo>>> = {
  snippet: ({ body }) => ({
    title: textAt(body, "snippet.title")?.trim() ?? "",
    description: textAt(body, "snippet.description") ?? "",
    tags: readTags(body),
    categoryId: readCategory(body),
    language: languageAt(body, "snippet.defaultLanguage", reasons),
  }),
  status: ({ body, now }) => ({
    // Nothing said means public since November 2026: docs/services/youtube.md#videos
    privacy:
      (textAt(body, "status.privacyStatus") as StoredVideo["privacy"] | undefined) ?? "public",
    publishAt: readPublishAt(body, now),
    license: (textAt(body, "status.license") as StoredVideo["license"] | undefined) ?? "youtube",
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

function readTags(body: JsonBody): readonly string[] {
  const tags = textsAt(body, "snippet.tags") ?? [];
  const written = tags.map((tag) => (tag.includes(" ") ? `"${tag}"` : tag)).join(",");
  const isFine = written.length <= maxTagChars && !tags.some((tag) => /[<>]/.test(tag));
  if (!isFine) throw badBody("video", "invalidTags", "snippet.tags");
  return tags;
}

/** An update that names none was refused before. */
function readCategory(body: JsonBody): string {
  const categoryId = textAt(body, "snippet.categoryId") ?? defaultCategory;
  const known = sampleCategories.find(({ id, isAssignable }) => id === categoryId && isAssignable);
  if (known === undefined) throw badBody("video", "invalidCategoryId", "snippet.categoryId");
  return known.id;
}

function readPublishAt(body: JsonBody, now: number): number | undefined {
  const time = timeAt(body, "status.publishAt");
  if (time === undefined || time > now) return time;
  throw badBody("video", "invalidPublishAt", "status.publishAt");
}

const kind = "youtube#videoAbuseReportReason";

const parts = {
  snippet: ({ label, details }: (typeof sampleAbuseReasons)[number], call: ApiCall) => {
    const language = readLanguage(call);
    return {
      label: inLanguage(label, language),
      ...(details.length > 0 && {
        secondaryReasons: details.map(({ id, label: text }) => ({
          id,
          label: inLanguage(text, language),
        })),
      }),
    };
  },
};

export const abuseReportHandlers = {
  "videoAbuseReportReasons.list": (call) => {
    readLanguage(call);
    const items = sampleAbuseReasons.map((reason) =>
      toResource(call, { kind, id: reason.id, thing: reason, parts }),
    );
    return toList(`${kind}ListResponse`, items);
  },
  "videos.reportAbuse": (call) => {
    const { body, state } = call;
    const reason = sampleAbuseReasons.find(({ id }) => id === textAt(body, "reasonId"));
    const detail = textAt(body, "secondaryReasonId") || undefined;
    const fits =
      detail === undefined
        ? reason?.details.length === 0
        : reason?.details.some(({ id }) => id === detail);
    if (reason === undefined || fits !== true) {
      throw badBody("videoAbuseReport", "invalidAbuseReason", "reasonId");
    }
    const video = visibleVideo(call, textAt(body, "videoId") ?? "", "videoId");
    state.reports.push({
      channelId: requireViewer(call),
      videoId: video.id,
      reasonId: reason.id,
      secondaryReasonId: detail,
    });
    return undefined;
  },
} as const satisfies Record<string, Handler>;
