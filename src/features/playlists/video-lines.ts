import { cut, join, link, md, type Text, type Words } from "../../discord/index.ts";
import { pages } from "../../video/index.ts";

/** How a video is named in questions and answers. */
export interface NamedVideo {
  readonly id: string;
  readonly title: string;
}

/** More lines might not fit into the 4,096 characters of a message. */
const maxLines = 10;

export function formatVideoLine({ id, title }: NamedVideo): Text {
  return link(cut(title, 80), pages.video(id));
}

/** The first lines, and how many more there are. */
export function formatLines(all: readonly Text[], words: Words, most: number = maxLines): Text {
  const shown = all.slice(0, most).map((line) => md`- ${line}`);
  const left = all.length - shown.length;
  const more = left === 0 ? [] : [words.md("playlists.and_more", { count: left })];
  return join([...shown, ...more]);
}

/** A heading with its lines; nothing if there are no lines. */
export function formatGroup(heading: Text, all: readonly Text[], words: Words): readonly Text[] {
  return all.length === 0 ? [] : [join([md`**${heading}**`, formatLines(all, words)])];
}
