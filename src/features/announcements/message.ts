import {
  type FeedNotifications,
  isBroadcastKind,
  placeFor,
  type ReleasedVideo,
} from "../../announcements/index.ts";
import {
  card,
  compact,
  cut,
  isBlank,
  join,
  type Markup,
  notification,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import { youtubePages } from "../../video/index.ts";
import { presses } from "../cards/index.ts";
import { gameOf } from "./categories.ts";
import { fillTemplate, type TemplateValues } from "./template.ts";

type AnnouncementFacts = FeedNotifications["announcement"];

/** The announcement of a new release. Whoever posts it adds the role to ping; these texts can't ping anybody. */
export const announcementEvent = notification({
  name: "announcement",
  run: ({ words }, facts) => {
    const { feed, announcement, video, isSample } = facts;
    const { seconds } = video;
    const length = seconds === undefined ? undefined : words.length(`PT${seconds}S`);
    const when = words.say(isLive(video) ? "announce.live_since" : "cards.published");
    return card({
      title: video.title,
      url: youtubePages.video(video.id),
      author: { name: video.channelTitle, url: youtubePages.channel(feed.source) },
      text: announcementText(facts, words),
      fields: compact([
        length !== undefined && { name: words.say("cards.length"), value: length, inline: true },
        { name: when, value: time(new Date(video.publishedAt)), inline: true },
      ]),
      ...(video.thumbnailUrl === undefined ? {} : { image: video.thumbnailUrl }),
      ...(isSample === true ? { footer: words.say("announce.sample") } : {}),
      post: postOf(video, words),
      ...buttonsFor({ video, handle: announcement.card?.handle }, words),
    });
  },
});

/** Title and tags for a post in a forum. */
export function postOf(video: ReleasedVideo, words: Words) {
  return { title: video.title, tags: [words.say(`announce.kind.${video.kind}`)] };
}

interface ButtonFacts {
  readonly video: ReleasedVideo;
  readonly handle: string | undefined;
  /** It was deleted or hidden, so there is nothing to watch. */
  readonly isLost?: boolean;
}

/** The buttons of a message about a video. Their handle is how the bot finds the message again. */
export function buttonsFor({ video, handle, isLost = false }: ButtonFacts, words: Words) {
  const details = presses.video.details(video.id);
  return {
    ...(handle !== undefined && { kept: { handle, presses: [details] } }),
    buttons: [
      ...(isLost ? [] : [{ label: words.say("cards.watch"), url: youtubePages.video(video.id) }]),
      { label: words.say("cards.details"), press: details },
    ],
  };
}

/** What a message says above its details: the text of its place, else the usual sentence. */
export function announcementText(
  { feed, video }: Pick<AnnouncementFacts, "feed" | "video">,
  words: Words,
): Text {
  const template = placeFor(feed.places, video.kind)?.template;
  const own = template === undefined ? undefined : templatedText(template, video, words);
  if (own === undefined) return usualSentence(video, words);
  // The default sentence already says that it is live.
  return isLive(video) ? join([bold(words.say("announce.live_now")), own]) : own;
}

function usualSentence({ kind, isOver, channelTitle }: ReleasedVideo, words: Words): Markup {
  const channel = bold(channelTitle);
  if (kind === "premiere" && isOver) return words.md("announce.stream.over.premiere", { channel });
  const isReplay = kind === "live" && isOver === true;
  return words.md(`announce.sentence.${isReplay ? "over" : kind}`, { channel });
}

/** As much as a message has room for besides what the bot adds. */
const maxTextChars = 3_900;
/** How long texts from YouTube may be at most, until the message fits. A title has at most 100 characters there. */
const valueChars = [100, 50, 20] as const;

/** Undefined if the template says nothing about this video. */
function templatedText(template: string, video: ReleasedVideo, words: Words): Markup | undefined {
  const tried = valueChars.map((most) =>
    fillTemplate(template, templateValues(video, words, most)),
  );
  return tried.find((text) => (text?.markup ?? "").length <= maxTextChars) ?? tried.at(-1);
}

function templateValues(video: ReleasedVideo, words: Words, most: number): TemplateValues {
  const { id, kind, seconds, startsAt, thumbnailUrl, tags } = video;
  const game = gameOf(video, words);
  return {
    title: cut(video.title, most),
    channel: cut(video.channelTitle, most),
    url: { markup: youtubePages.video(id) },
    duration: seconds === undefined ? undefined : words.length(`PT${seconds}S`),
    starts: startsAt === undefined ? undefined : time(new Date(startsAt), "f"),
    thumbnail: pictureAddress(thumbnailUrl),
    tags: isBlank(tags?.join("") ?? "") ? undefined : cut(tags?.join(", ") ?? "", 2 * most),
    game: game === undefined ? undefined : cut(game, most),
    kind: words.say(`announce.kind.${kind}`),
  };
}

/** Only addresses in which nothing can be taken for formatting, and which are short enough to stay whole. */
const plainAddress = /^https:\/\/[\w.-]{1,60}\/[\w./-]{1,120}$/u;

function pictureAddress(url: string | undefined): Text | undefined {
  return url !== undefined && plainAddress.test(url) ? { markup: url } : undefined;
}

function isLive({ kind, isOver }: ReleasedVideo): boolean {
  return isBroadcastKind(kind) && isOver !== true;
}

export function bold(text: string): Markup {
  return { markup: `**${join([text], "").markup}**` };
}
