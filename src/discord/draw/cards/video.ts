import { largeThumbnail, type Video } from "../../../video/index.ts";
import type { Ctx } from "../../declare/ctx.ts";
import { reaches } from "../../rank.ts";
import { pages } from "../links.ts";
import { presses } from "../presses.ts";
import { type Button, type Card, card, type Field } from "../reply.ts";
import { cut } from "../text.ts";
import type { Words } from "../words.ts";
import { headOf, named, ownerOf, present, published } from "./fields.ts";

/** Parts that a video's card shows; the second are for its owner alone. */
export const videoParts = ["snippet", "contentDetails", "statistics", "status"] as const;
export const ownVideoParts = [...videoParts, "processingDetails"] as const;

export interface CardFor {
  readonly words: Words;
  /** Whether the person may change what is shown. */
  readonly isManager?: boolean;
  /** The linked channel, where it is known: what only an owner can do is offered for its own things. */
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

/** One video, whole: picture, numbers, dates, description, its state, and what can be done next. */
export function videoCard(video: Video, { words, isManager = false, channelId }: CardFor): Card {
  const { snippet, status, id = "" } = video;
  const image = largeThumbnail(snippet?.thumbnails);
  return card({
    ...headOf(snippet, words),
    url: pages.video(id),
    ...ownerOf(snippet),
    fields: fieldsOf(video, words),
    ...(image === undefined ? {} : { image }),
    ...(status?.privacyStatus === "private" ? { isPrivate: true } : {}),
    buttons: buttonsOf(video, { words, isManager, channelId }),
  });
}

function buttonsOf(
  { id = "", snippet }: Video,
  { words, isManager, channelId }: CardFor,
): Button[] {
  const { video } = presses;
  const title = snippet?.title === undefined ? undefined : cut(snippet.title, 80);
  const isOwn = channelId === undefined || snippet?.channelId === channelId;
  const watch = { label: words.say("cards.watch"), url: pages.video(id) };
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
          {
            label: words.say("cards.delete"),
            style: "danger" as const,
            press: video.remove(id),
          },
        ]
      : [{ label: words.say("cards.report"), press: video.report(id) }]),
  ];
}

function fieldsOf(video: Video, words: Words): Field[] {
  const { snippet, statistics, contentDetails, status, processingDetails } = video;
  const live = snippet?.liveBroadcastContent;
  const state = live === "live" || live === "upcoming" ? named(words, "live", live) : undefined;
  const captions = contentDetails?.caption === "true" ? words.say("common.yes") : undefined;
  const { processingStatus } = processingDetails ?? {};
  const processing =
    processingStatus === "succeeded"
      ? undefined
      : named(words, "processingStatus", processingStatus);
  return present(words, [
    ["cards.length", words.length(contentDetails?.duration) ?? state],
    ["cards.views", words.short(statistics?.viewCount)],
    ["cards.likes", words.short(statistics?.likeCount)],
    ["cards.comments", words.short(statistics?.commentCount)],
    // What is private has a date too, but nobody published it.
    [
      "cards.published",
      status?.privacyStatus === "private" ? undefined : published(snippet?.publishedAt),
    ],
    ["cards.privacy", named(words, "privacyStatus", status?.privacyStatus)],
    ["cards.scheduled", published(status?.publishAt)],
    ["cards.upload_status", uploadState(video, words)],
    ["cards.processing", processing],
    ["cards.has_captions", captions],
    ["cards.tags", snippet?.tags && cut(snippet.tags.slice(0, 12).join(", "), 200)],
  ]);
}

/** Said only while there is something to say: a processed video is just a video. */
function uploadState({ status }: Video, words: Words): string | undefined {
  const { uploadStatus, failureReason, rejectionReason } = status ?? {};
  if (uploadStatus === undefined || uploadStatus === "processed") return undefined;
  const why = failureReason ?? rejectionReason;
  const state = named(words, "uploadStatus", uploadStatus);
  return why === undefined ? state : `${state}: ${named(words, "uploadFailure", why)}`;
}
