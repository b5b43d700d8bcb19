import type { Words } from "../../../discord/index.ts";
import type { VideoStream } from "../../../video/index.ts";
import { formatMoment, valueName } from "../../cards/index.ts";
import { type DrawDetails, drawDetailsRows } from "./details-page.ts";

export const drawFile: DrawDetails = ({ fileDetails = {} }, { words }) => {
  const { fileSize, durationMs, videoStreams = [], audioStreams = [] } = fileDetails;
  const { fields } = drawDetailsRows(words, [
    ["video-details.file_name", fileDetails.fileName],
    ["video-details.file_size", fileSize && words.bytes(Number(fileSize))],
    ["video-details.file_type", valueName(words, "fileType", fileDetails.fileType)],
    ["video-details.container", fileDetails.container],
    ["cards.length", durationMs && words.duration(Number(durationMs))],
    ["video-details.bitrate", formatBitrate(fileDetails.bitrateBps, words)],
    ["video-details.file_made", formatMoment(fileDetails.creationTime) ?? fileDetails.creationTime],
  ]);
  const streams = (key: "video_stream" | "audio_stream", lines: readonly string[]) =>
    lines.map((value, index) => ({
      name: words.say(`video-details.${key}`, { number: index + 1 }),
      value,
    }));
  return {
    fields: [
      ...fields,
      ...streams(
        "video_stream",
        videoStreams.map((stream) => pictureLine(stream, words)),
      ),
      ...streams(
        "audio_stream",
        audioStreams.map((stream) =>
          facts([
            stream.channelCount &&
              words.say("video-details.audio_channels", { count: stream.channelCount }),
            stream.codec,
            formatBitrate(stream.bitrateBps, words),
            stream.vendor && words.say("video-details.vendor", { vendor: stream.vendor }),
          ]),
        ),
      ),
    ],
  };
};

function pictureLine(stream: VideoStream, words: Words): string {
  const { widthPixels: width, heightPixels: height, frameRateFps: fps, aspectRatio } = stream;
  const number = (value: number) =>
    new Intl.NumberFormat(words.tag, { maximumFractionDigits: 3 }).format(value);
  return facts([
    width === undefined || height === undefined ? undefined : `${width} × ${height}`,
    fps && words.say("video-details.fps", { fps: number(fps) }),
    aspectRatio && words.say("video-details.aspect", { ratio: number(aspectRatio) }),
    stream.codec,
    formatBitrate(stream.bitrateBps, words),
    valueName(words, "rotation", stream.rotation),
    stream.vendor && words.say("video-details.vendor", { vendor: stream.vendor }),
  ]);
}

function facts(all: readonly (string | 0 | undefined)[]): string {
  return all.filter(Boolean).join(" · ");
}

export const drawProcessing: DrawDetails = ({ processingDetails: details = {} }, { words }) => {
  const { partsTotal, partsProcessed, timeLeftMs } = details.processingProgress ?? {};
  const available = (value: string | undefined) => valueName(words, "availability", value);
  return drawDetailsRows(words, [
    ["cards.processing", valueName(words, "processingStatus", details.processingStatus)],
    [
      "video-details.processed_parts",
      partsTotal === undefined
        ? undefined
        : words.say("video-details.parts", { done: partsProcessed ?? "0", all: partsTotal }),
    ],
    ["video-details.time_left", timeLeftMs && words.duration(Number(timeLeftMs))],
    [
      "video-details.processing_failure",
      valueName(words, "processingFailure", details.processingFailureReason),
    ],
    ["video-details.has_file_details", available(details.fileDetailsAvailability)],
    ["video-details.has_issues", available(details.processingIssuesAvailability)],
    ["video-details.has_tags", available(details.tagSuggestionsAvailability)],
    ["video-details.has_edits", available(details.editorSuggestionsAvailability)],
    ["video-details.has_thumbnails", available(details.thumbnailsAvailability)],
  ]);
};

export const drawSuggestions: DrawDetails = (video, { words, categories }) => {
  const { suggestions: all = {} } = video;
  const names = (values: readonly string[] | undefined) =>
    values?.map((value) => valueName(words, "suggestion", value)).join("\n");
  // A tag, and the categories for which it is suggested.
  const tags = all.tagSuggestions?.map(({ tag = "", categoryRestricts = [] }) => {
    const restricts = categoryRestricts.map((id) => categories.get(id) ?? id);
    return restricts.length === 0 ? tag : `${tag} (${restricts.join(", ")})`;
  });
  return drawDetailsRows(words, [
    ["video-details.errors", names(all.processingErrors)],
    ["video-details.warnings", names(all.processingWarnings)],
    ["video-details.hints", names(all.processingHints)],
    ["video-details.edits", names(all.editorSuggestions)],
    ["video-details.suggested_tags", tags?.join("\n")],
  ]);
};

/** 8.1 Mb/s */
function formatBitrate(bps: string | undefined, words: Words): string | undefined {
  if (!/^\d+$/u.test(bps ?? "")) return undefined;
  const [unit, step] = Number(bps) < 1_000_000 ? ["kilobit", 1000] : ["megabit", 1_000_000];
  const format = new Intl.NumberFormat(words.speech, {
    style: "unit",
    unit: `${unit}-per-second`,
    maximumSignificantDigits: 3,
  });
  return format.format(Number(bps) / Number(step));
}
