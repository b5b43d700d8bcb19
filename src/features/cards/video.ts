import {
  type Button,
  type Card,
  type CardField,
  card,
  cut,
  reaches,
  type Words,
} from "../../discord/index.ts";
import { largeThumbnail, type Video, youtubePages } from "../../video/index.ts";
import type { Ctx } from "../context/index.ts";
import {
  cardAuthor,
  cardHead,
  formatMoment,
  formatPublished,
  presentFields,
  valueName,
} from "./fields.ts";
import { presses } from "./presses.ts";

/** Parts that a video's card shows; only its owner can read those of `ownVideoParts`. */
export const videoParts = [
  "snippet",
  "contentDetails",
  "statistics",
  "status",
  "liveStreamingDetails",
] as const;
export const ownVideoParts = [...videoParts, "processingDetails"] as const;

export interface CardFor {
  readonly words: Words;
  /** Whether the person may change what is shown. */
  readonly isManager?: boolean;
  /** The linked channel's id, where it is known: what only an owner can do is offered only for its own videos. */
  readonly channelId?: string | undefined;
}

/** Which buttons a card gets for that person. */
export function cardFor({
  words,
  rank,
  channelId,
}: Pick<Ctx, "words" | "rank" | "channelId">): CardFor {
  return { words, isManager: reaches(rank, "manager"), channelId };
}

/** Everything about one video: picture, numbers, dates, description, state, and what can be done next. */
export function videoCard(video: Video, { words, isManager = false, channelId }: CardFor): Card {
  const { snippet, status, id = "" } = video;
  return card({
    ...cardHead(snippet, words),
    url: youtubePages.video(id),
    ...cardAuthor(snippet),
    fields: cardFields(video, words),
    image: largeThumbnail(snippet?.thumbnails),
    isPrivate: status?.privacyStatus === "private",
    buttons: cardButtons(video, { words, isManager, channelId }),
  });
}

function cardButtons(
  { id = "", snippet }: Video,
  { words, isManager, channelId }: CardFor,
): Button[] {
  const { video } = presses;
  const title = snippet?.title === undefined ? undefined : cut(snippet.title, 80);
  const isOwn = channelId === undefined || snippet?.channelId === channelId;
  const watch = { label: words.say("cards.watch"), url: youtubePages.video(id) };
  const comments = { label: words.say("cards.comments"), press: video.comments(id, title) };
  if (isManager !== true) return [watch, comments];
  return [
    watch,
    comments,
    { label: words.say("cards.add_to_playlist"), press: video.addToPlaylist([id]) },
    { label: words.say("cards.like"), press: video.rate(id, "like") },
    ...(isOwn
      ? [
          { label: words.say("cards.captions"), press: video.captions(id, title) },
          { label: words.say("cards.thumbnail"), press: video.thumbnail(id) },
          { label: words.say("cards.edit"), press: video.edit(id) },
          { label: words.say("cards.delete"), style: "danger" as const, press: video.remove(id) },
        ]
      : [{ label: words.say("cards.report"), press: video.report(id) }]),
  ];
}

function cardFields(video: Video, words: Words): CardField[] {
  const { snippet, statistics, contentDetails, status, processingDetails } = video;
  const live = snippet?.liveBroadcastContent;
  const starts = video.liveStreamingDetails?.scheduledStartTime;
  const state = live === "live" ? valueName(words, "live", live) : undefined;
  const captions = contentDetails?.caption === "true" ? words.say("common.yes") : undefined;
  const { processingStatus } = processingDetails ?? {};
  const processing =
    processingStatus === "succeeded"
      ? undefined
      : valueName(words, "processingStatus", processingStatus);
  return presentFields(words, [
    ["cards.starts", live === "upcoming" ? formatMoment(starts) : undefined],
    [
      "cards.length",
      live === "upcoming" ? undefined : (words.length(contentDetails?.duration) ?? state),
    ],
    ["cards.views", words.short(statistics?.viewCount)],
    ["cards.likes", words.short(statistics?.likeCount)],
    ["cards.comments", words.short(statistics?.commentCount)],
    // A private video has a date too, but was not published.
    [
      "cards.published",
      status?.privacyStatus === "private" ? undefined : formatPublished(snippet?.publishedAt),
    ],
    ["cards.privacy", valueName(words, "privacyStatus", status?.privacyStatus)],
    ["cards.scheduled", formatPublished(status?.publishAt)],
    ["cards.upload_status", uploadState(video, words)],
    ["cards.processing", processing],
    ["cards.has_captions", captions],
    ["cards.tags", snippet?.tags && cut(snippet.tags.slice(0, 12).join(", "), 200)],
  ]);
}

/**
 * Undefined for what needs no remark: a processed video, and a stream that is to come or live, which counts as uploaded until
 * it is over (docs/services/youtube.md#streams-and-premieres).
 */
function uploadState({ status, snippet }: Video, words: Words): string | undefined {
  const { uploadStatus, failureReason, rejectionReason } = status ?? {};
  if (uploadStatus === undefined || uploadStatus === "processed") return undefined;
  const { liveBroadcastContent: live = "none" } = snippet ?? {};
  if (uploadStatus === "uploaded" && (live === "upcoming" || live === "live")) return undefined;
  const why = failureReason ?? rejectionReason;
  const state = valueName(words, "uploadStatus", uploadStatus);
  return why === undefined ? state : `${state}: ${valueName(words, "uploadFailure", why)}`;
}
