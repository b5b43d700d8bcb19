import {
  type Card,
  type CardField,
  cut,
  md,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import type { MessageKey } from "../../language/index.ts";
import { type Caption, type Video, youtubePages } from "../../video/index.ts";

type Snippet = Pick<
  NonNullable<Video["snippet"]>,
  "title" | "description" | "localized" | "channelTitle" | "channelId"
>;

/** Title and description, with which a card begins. */
export function cardHead(snippet: Snippet | undefined, words: Words): Pick<Card, "title" | "text"> {
  const description = snippet?.localized?.description ?? snippet?.description;
  return {
    title: snippet?.localized?.title ?? snippet?.title ?? words.say("common.untitled"),
    text: description ? cut(description, 600) : undefined,
  };
}

export function cardAuthor(snippet: Snippet | undefined): Pick<Card, "author"> {
  const { channelTitle: name, channelId } = snippet ?? {};
  if (name === undefined || channelId === undefined) return {};
  return { author: { name, url: youtubePages.channel(channelId) } };
}

/** Only the fields that the answer has, side by side. */
export function presentFields(
  words: Words,
  rows: readonly (readonly [MessageKey, Text | undefined])[],
): CardField[] {
  return rows.flatMap(([key, value]) =>
    value === undefined || value === "" ? [] : [{ name: words.say(key), value, inline: true }],
  );
}

/** The date, and how long ago that is. */
export function formatPublished(at: string | undefined): Text | undefined {
  const date = parseDate(at);
  return date === undefined ? undefined : md`${time(date, "D")} (${time(date, "R")})`;
}

/** The time to the minute, and relative to now: for what begins, ends or is due. */
export function formatMoment(at: string | undefined): Text | undefined {
  const date = parseDate(at);
  return date === undefined ? undefined : md`${time(date, "f")} (${time(date, "R")})`;
}

/** Undefined if it is not known. */
export function yesNo(words: Words, fact: boolean | undefined): string | undefined {
  return fact === undefined ? undefined : words.say(fact ? "common.yes" : "common.no");
}

/** Only how long ago it is, for one line of several. */
export function formatSince(at: string | undefined): Text | undefined {
  const date = parseDate(at);
  return date === undefined ? undefined : time(date);
}

function parseDate(at: string | undefined): Date | undefined {
  const date = new Date(at ?? "");
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** A value's name in the person's language; the value itself if it is newer than our messages. */
export function valueName(
  words: Words,
  group: string,
  value: string | undefined,
): string | undefined {
  if (value === undefined) return undefined;
  return words.find(`choices.${group}.${value}`) ?? value;
}

/** `German · Director’s cut · Automatic · Draft`: what distinguishes captions from others of the same video. */
export function captionsName(snippet: Caption["snippet"], words: Words): string {
  const { language = "und", name, trackKind = "standard", isDraft } = snippet ?? {};
  const kind = trackKind === "standard" ? undefined : valueName(words, "trackKind", trackKind);
  const draft = isDraft === true ? words.say("captions.draft") : undefined;
  return [words.language(language), name, kind, draft].filter(Boolean).join(" · ");
}

const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

/** For the texts of search results: docs/services/youtube.md#escaped-texts */
export function unescapeHtml(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/gu, (entity) => entities[entity] ?? entity);
}
