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
  join,
  type Markup,
  notification,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import { youtubePages } from "../../video/index.ts";
import { presses } from "../cards/index.ts";

/** The placeholders that a template may contain. */
const placeholders = ["channel", "title", "kind"] as const;

/** A template of this length still fits into a message after all its placeholders are filled. */
export const maxTemplateChars = 500;

type TemplateValues = Readonly<Record<(typeof placeholders)[number], string>>;

const anyPlaceholder = /\{([^{}\n]*)\}/gu;

/** @throws InputError `template_placeholder` for a placeholder that the bot does not know */
export function checkTemplate(template: string): void {
  for (const [written, name = ""] of template.matchAll(anyPlaceholder)) {
    if (isKnown(name)) continue;
    const known = placeholders.map((one) => `{${one}}`).join(", ");
    throw new InputError("a template has an unknown placeholder", {
      code: "template_placeholder",
      facts: { placeholder: written.slice(0, 60), known },
    });
  }
}

/** Fills all placeholders in one pass, so a title that itself looks like a placeholder stays as it is. */
export function fillTemplate(template: string, values: TemplateValues): string {
  return template.replace(anyPlaceholder, (written, name) =>
    isKnown(name) ? values[name] : written,
  );
}

function isKnown(name: string): name is keyof TemplateValues {
  return (placeholders as readonly string[]).includes(name);
}

type AnnouncementFacts = FeedNotifications["announcement"];

/** YouTube itself allows no longer titles. */
const maxTitleChars = 100;

/** The announcement of a new release. Whoever posts it adds the role to ping; these texts can't ping anybody. */
export const announcementEvent = notification({
  name: "announcement",
  run: ({ words }, facts) => {
    const { feed, announcement, video, isSample } = facts;
    const details = presses.video.details(video.id);
    const { handle } = announcement.card ?? {};
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
      ...(handle === undefined ? {} : { kept: { handle, presses: [details] } }),
      post: { title: video.title, tags: [words.say(`announce.kind.${video.kind}`)] },
      buttons: [
        { label: words.say("cards.watch"), url: youtubePages.video(video.id) },
        { label: words.say("cards.details"), press: details },
      ],
    });
  },
});

function announcementText({ feed, video }: AnnouncementFacts, words: Words): Text {
  const template = placeFor(feed.places, video.kind)?.template;
  const channel = video.channelTitle;
  const title = cut(video.title, maxTitleChars);
  const kind = words.say(`announce.kind.${video.kind}`);
  const isOver = isBroadcastKind(video.kind) && video.isOver === true;
  const text: Text =
    template === undefined
      ? words.md(`announce.sentence.${isOver ? "over" : video.kind}`, { channel: bold(channel) })
      : fillTemplate(template, { channel, title, kind });
  return isLive(video) ? join([bold(words.say("announce.live_now")), text]) : text;
}

function isLive({ kind, isOver }: ReleasedVideo): boolean {
  return isBroadcastKind(kind) && isOver !== true;
}

function bold(text: string): Markup {
  return { markup: `**${join([text], "").markup}**` };
}
