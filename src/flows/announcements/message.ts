import {
  card,
  compact,
  cut,
  event,
  type Field,
  join,
  type Markup,
  pages,
  presses,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { FeedEvents, ReleasedVideo } from "../../feeds/index.ts";

/** What a template may contain that differs with each release. */
const placeholders = ["channel", "title", "kind"] as const;

/** With all of its placeholders filled it still fits a message. */
export const longestTemplate = 500;

type Values = Readonly<Record<(typeof placeholders)[number], string>>;

const anyPlaceholder = /\{([^{}\n]*)\}/gu;

/** @throws InputError `template_placeholder` where nothing could be filled in. */
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

/** In one pass, so that a title that looks like a placeholder is left alone. */
export function filled(template: string, values: Values): string {
  return template.replace(anyPlaceholder, (written, name) =>
    isKnown(name) ? values[name] : written,
  );
}

function isKnown(name: string): name is keyof Values {
  return (placeholders as readonly string[]).includes(name);
}

type Facts = FeedEvents["announcement"];

/** Longer titles are cut by the platform's own limit anyway. */
const longestTitle = 100;

/** A new release. The posting side adds the role that is pinged; nothing in these texts can ping anybody. */
export const announced = event<Facts>({
  name: "announcement",
  run: ({ words }, facts) => {
    const { feed, announcement, video, isSample } = facts;
    const details = presses.video.details(video.id);
    const { handle } = announcement.card ?? {};
    return card({
      title: video.title,
      url: pages.video(video.id),
      author: { name: video.channelTitle, url: pages.channel(feed.source) },
      text: textOf(facts, words),
      fields: fieldsOf(video, words),
      ...(video.thumbnailUrl === undefined ? {} : { image: video.thumbnailUrl }),
      ...(isSample === true ? { footer: words.say("announce.sample") } : {}),
      ...(handle === undefined ? {} : { kept: { handle, presses: [details] } }),
      post: { title: video.title, tags: [words.say(`announce.kind.${video.kind}`)] },
      buttons: [
        { label: words.say("cards.watch"), url: pages.video(video.id) },
        { label: words.say("cards.details"), press: details },
      ],
    });
  },
});

function textOf({ feed, video }: Facts, words: Words): Text {
  const template = feed.places[video.kind]?.template;
  const channel = video.channelTitle;
  const title = cut(video.title, longestTitle);
  const kind = words.say(`announce.kind.${video.kind}`);
  const text: Text =
    template === undefined
      ? words.md(`announce.sentence.${wordOf(video)}`, { channel: bold(channel) })
      : filled(template, { channel, title, kind });
  return isLive(video) ? join([bold(words.say("announce.live_now")), text]) : text;
}

function fieldsOf(video: ReleasedVideo, words: Words): readonly Field[] {
  const { seconds, publishedAt } = video;
  const length = seconds === undefined ? undefined : words.length(isoOf(seconds));
  const when = words.say(isLive(video) ? "announce.live_since" : "cards.published");
  return compact([
    length !== undefined && { name: words.say("cards.length"), value: length, inline: true },
    { name: when, value: time(new Date(publishedAt)), inline: true },
  ]);
}

function isoOf(seconds: number): string {
  return `PT${Math.floor(seconds / 3600)}H${Math.floor(seconds / 60) % 60}M${seconds % 60}S`;
}

function wordOf({ kind, isOver }: ReleasedVideo) {
  return kind === "live" && isOver === true ? "over" : kind;
}

function isLive({ kind, isOver }: ReleasedVideo): boolean {
  return kind === "live" && isOver !== true;
}

function bold(text: string): Markup {
  return { markup: `**${join([text], "").markup}**` };
}
