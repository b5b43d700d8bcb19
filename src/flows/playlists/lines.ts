import { cut, join, link, md, pages, type Text, type Words } from "../../discord/index.ts";

/** How a video is named in questions and answers. */
export interface Named {
  readonly id: string;
  readonly title: string;
}

/** A message has 4,096 characters for all its lines. */
const mostLines = 10;

export function videoLine({ id, title }: Named): Text {
  return link(cut(title, 80), pages.video(id));
}

/** The first lines, and how many more there are. */
export function lines(all: readonly Text[], words: Words, most: number = mostLines): Text {
  const shown = all.slice(0, most).map((line) => md`- ${line}`);
  const left = all.length - shown.length;
  const more = left === 0 ? [] : [words.md("playlists.and_more", { count: left })];
  return join([...shown, ...more]);
}

/** A heading with its lines, where there are any. */
export function group(heading: Text, all: readonly Text[], words: Words): readonly Text[] {
  return all.length === 0 ? [] : [join([md`**${heading}**`, lines(all, words)])];
}
