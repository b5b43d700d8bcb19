import { cut, type Item, join, type Text, type Words } from "../discord/index.ts";

/** What there is to say of an item, on one line. */
export function factLine(facts: readonly (Text | undefined)[]): readonly Text[] {
  const given = facts.filter((fact) => fact !== undefined);
  return given.length === 0 ? [] : [join(given, " · ")];
}

export function picture(
  title: string,
  url: string | undefined,
  words: Words,
): Pick<Item, "thumbnail"> {
  if (url === undefined) return {};
  return { thumbnail: { url, alt: words.say("common.thumbnail_of", { title: cut(title, 80) }) } };
}
