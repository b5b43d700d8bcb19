import type { MessageKey } from "../../../language/index.ts";
import type { Caption, Video } from "../../../video/index.ts";
import { pages } from "../links.ts";
import type { Card, Field } from "../reply.ts";
import { cut, md, type Text, time } from "../text.ts";
import type { Words } from "../words.ts";

type Snippet = Pick<
  NonNullable<Video["snippet"]>,
  "title" | "description" | "localized" | "channelTitle" | "channelId"
>;

/** Title and description as a card begins with them. */
export function headOf(snippet: Snippet | undefined, words: Words): Pick<Card, "title" | "text"> {
  const description = snippet?.localized?.description ?? snippet?.description;
  return {
    title: snippet?.localized?.title ?? snippet?.title ?? words.say("common.untitled"),
    ...(description && { text: cut(description, 600) }),
  };
}

/** Whose it is. */
export function ownerOf(snippet: Snippet | undefined): Pick<Card, "author"> {
  const { channelTitle: name, channelId } = snippet ?? {};
  if (name === undefined || channelId === undefined) return {};
  return { author: { name, url: pages.channel(channelId) } };
}

/** Only the fields that the answer has, side by side. */
export function present(
  words: Words,
  rows: readonly (readonly [MessageKey, Text | undefined])[],
): Field[] {
  return rows.flatMap(([key, value]) =>
    value === undefined || value === "" ? [] : [{ name: words.say(key), value, inline: true }],
  );
}

/** In words relative to now, and in full. */
export function published(at: string | undefined): Text | undefined {
  const date = dateOf(at);
  return date === undefined ? undefined : md`${time(date, "D")} (${time(date, "R")})`;
}

/** To the minute, and relative to now: for what begins, ends or is due. */
export function moment(at: string | undefined): Text | undefined {
  const date = dateOf(at);
  return date === undefined ? undefined : md`${time(date, "f")} (${time(date, "R")})`;
}

/** Undefined for what nobody said. */
export function yesNo(words: Words, fact: boolean | undefined): string | undefined {
  return fact === undefined ? undefined : words.say(fact ? "common.yes" : "common.no");
}

/** Relative to now alone, for a line among others. */
export function since(at: string | undefined): Text | undefined {
  const date = dateOf(at);
  return date === undefined ? undefined : time(date);
}

function dateOf(at: string | undefined): Date | undefined {
  const date = new Date(at ?? "");
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** A value of the service by its name in the person's language; the value itself when it came later than the words. */
export function named(words: Words, group: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  return words.find(`choices.${group}.${value}`) ?? value;
}

/** `German · Director’s cut · Automatic · Draft`: what tells captions from the others of their video. */
export function captionsName(snippet: Caption["snippet"], words: Words): string {
  const { language = "und", name, trackKind = "standard", isDraft } = snippet ?? {};
  const kind = trackKind === "standard" ? undefined : named(words, "trackKind", trackKind);
  const draft = isDraft === true ? words.say("captions.draft") : undefined;
  return [words.language(language), name, kind, draft].filter(Boolean).join(" · ");
}
