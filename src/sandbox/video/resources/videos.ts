import {
  checkUnchanged,
  requireOwnChannel,
  requireOwnVideo,
  requireVideo,
  requireViewer,
} from "../access.ts";
import { badBody, badParameter, fixedError } from "../api-error.ts";
import type { ApiCall, Handler } from "../call.ts";
import {
  defaultCategory,
  mintId,
  newVideo,
  type StoredVideo,
  sampleAbuseReasons,
  sampleCategories,
} from "../data/index.ts";
import { flagAt, type JsonBody, textAt, textsAt, timeAt } from "../json-body.ts";
import { languageAt, readLanguage, readLocalizations, readRegionCode } from "../locale.ts";
import { onOnePage } from "../resource.ts";
import { findVisibleVideos, videoResource } from "./video-parts.ts";

const ownerParts: readonly string[] = ["fileDetails", "processingDetails", "suggestions"];
/** How long an upload is processed before it can be watched. */
const processingMs = 2_000;
/** The file is not analysed: its length is estimated from its size. */
const bytesPerSecond = 250_000;

export const videoHandlers = {
  "videos.list": (call) => {
    const { query, viewer, state } = call;
    readLanguage(call);
    const rated = query.text("myRating") === "like" ? state.likes : state.dislikes;
    const ids = query.has("myRating") ? (rated.get(requireViewer(call)) ?? []) : query.list("id");
    const found = query.has("chart") ? findMostPopular(call) : findVisibleVideos(call, ids);
    const asksOwner = query.list("part").some((part) => ownerParts.includes(part));
    const isOwner = viewer !== undefined && found.every(({ channelId }) => channelId === viewer);
    if (asksOwner && !isOwner) throw fixedError("videoPartForbidden");
    if (query.has("id")) return videoResource.list(call, found, onOnePage(found));
    return videoResource.page(call, found);
  },
  "videos.insert": (call) => {
    const { state, now, body, media } = call;
    if (media === undefined) throw badBody("video", "mediaBodyRequired");
    const changes = Object.keys(body).length > 0 ? readChanges(call, undefined) : {};
    const { type, size, hash } = media;
    const id = mintId(state, "video", 11);
    const empty = newVideo({
      id,
      channelId: requireOwnChannel(call).id,
      title: "Untitled",
      publishedAt: now,
      seconds: Math.min(43_200, Math.max(1, Math.round(size / bytesPerSecond))),
      madeForKids: undefined,
      file: { name: `${id}.mp4`, type, size, hash, processedAt: now + processingMs },
    });
    const video = { ...empty, ...changes };
    state.videos.set(id, video);
    return videoResource.show(call, video);
  },
  "videos.update": (call) => {
    const video = requireOwnVideo(call, call.id, "id");
    checkUnchanged(call, videoResource.show(call, video));
    const { privacy } = video;
    Object.assign(video, readChanges(call, video));
    // What was private is published when everybody may see it (videos resource, snippet.publishedAt).
    if (privacy !== "public" && video.privacy === "public") video.publishedAt = call.now;
    return videoResource.show(call, video);
  },
  "videos.delete": (call) => {
    const { state } = call;
    const { id } = requireOwnVideo(call, call.id, "id");
    state.videos.delete(id);
    for (const [trackId, { videoId }] of state.captions) {
      if (videoId === id) state.captions.delete(trackId);
    }
    return undefined;
  },
  "videos.reportAbuse": (call) => {
    const { body, state } = call;
    const reason = sampleAbuseReasons.find(({ id }) => id === textAt(body, "reasonId"));
    const secondaryReasonId = textAt(body, "secondaryReasonId") || undefined;
    const isComplete =
      secondaryReasonId === undefined
        ? reason?.details.length === 0
        : reason?.details.some(({ id }) => id === secondaryReasonId);
    if (reason === undefined || !isComplete) {
      throw badBody("videoAbuseReport", "invalidAbuseReason", "reasonId");
    }
    const { id: videoId } = requireVideo(call, textAt(body, "videoId") ?? "", "videoId");
    const channelId = requireViewer(call);
    state.reports.push({ channelId, videoId, reasonId: reason.id, secondaryReasonId });
    return undefined;
  },
} as const satisfies Record<string, Handler>;

/** The most watched videos for their age that can be watched in the region. */
function findMostPopular(call: ApiCall): StoredVideo[] {
  const { query, state, now } = call;
  const region = readRegionCode(call) ?? "US";
  const category = query.text("videoCategoryId") ?? "0";
  if (category !== "0" && !sampleCategories.some(({ id }) => id === category)) {
    throw badParameter("videoCategoryId", "The chart is not available.", "videoChartNotFound");
  }
  const heat = ({ views, publishedAt }: StoredVideo): number =>
    views / (now - publishedAt + 86_400_000);
  return [...state.videos.values()]
    .filter(
      ({ privacy, live, audience }) =>
        privacy === "public" && live !== "upcoming" && audience !== "mature",
    )
    .filter(({ categoryId }) => category === "0" || categoryId === category)
    .filter(({ blockedIn }) => !blockedIn.includes(region))
    .sort((one, other) => heat(other) - heat(one));
}

/** What all tags may hold together, with commas between them and quotes around those with spaces. */
const maxTagChars = 500;

const reasons = {
  resource: "video",
  noLanguage: "defaultLanguageNotSet",
  invalid: "invalidVideoMetadata",
} as const;

/** What a write changes: every field of the parts that it names. What the body leaves out is cleared, because writes replace. */
function readChanges(call: ApiCall, before: StoredVideo | undefined): Partial<StoredVideo> {
  const { body, query, now } = call;
  const parts = query.list("part");
  const publishAt = timeAt(body, "status.publishAt");
  const changes: Partial<StoredVideo> = {
    ...(parts.includes("snippet") && {
      title: textAt(body, "snippet.title")?.trim() ?? "",
      description: textAt(body, "snippet.description") ?? "",
      tags: readTags(body),
      // An update that names none was refused before.
      categoryId: textAt(body, "snippet.categoryId") ?? defaultCategory,
      language: languageAt(body, "snippet.defaultLanguage", reasons),
    }),
    ...(parts.includes("status") && {
      // Nothing said means public since November 2026: docs/services/youtube.md#videos
      privacy: (textAt(body, "status.privacyStatus") ?? "public") as StoredVideo["privacy"],
      publishAt,
      license: (textAt(body, "status.license") ?? "youtube") as StoredVideo["license"],
      embeddable: flagAt(body, "status.embeddable") ?? true,
      statsViewable: flagAt(body, "status.publicStatsViewable") ?? true,
      madeForKids: flagAt(body, "status.selfDeclaredMadeForKids"),
      synthetic: flagAt(body, "status.containsSyntheticMedia"),
    }),
    ...(parts.includes("recordingDetails") && {
      recordedAt: timeAt(body, "recordingDetails.recordingDate"),
    }),
    ...(parts.includes("paidProductPlacementDetails") && {
      isPromotion: flagAt(body, "paidProductPlacementDetails.hasPaidProductPlacement") ?? false,
    }),
  };
  const { categoryId } = changes;
  const isAssignable = sampleCategories.some((one) => one.id === categoryId && one.isAssignable);
  if (categoryId !== undefined && !isAssignable) {
    throw badBody("video", "invalidCategoryId", "snippet.categoryId");
  }
  if (changes.publishAt !== undefined && changes.publishAt <= now) {
    throw badBody("video", "invalidPublishAt", "status.publishAt");
  }
  if (!parts.includes("localizations")) return changes;
  const { language } = parts.includes("snippet") ? changes : (before ?? {});
  return { ...changes, localizations: readLocalizations(body, language, reasons) };
}

function readTags(body: JsonBody): readonly string[] {
  const tags = textsAt(body, "snippet.tags") ?? [];
  const written = tags.map((tag) => (tag.includes(" ") ? `"${tag}"` : tag)).join(",");
  const isFine = written.length <= maxTagChars && !tags.some((tag) => /[<>]/.test(tag));
  if (!isFine) throw badBody("video", "invalidTags", "snippet.tags");
  return tags;
}
