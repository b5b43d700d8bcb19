import { cut, join, link, md, type Text, type Words } from "../../discord/index.ts";
import { youtubePages } from "../../video/index.ts";
import type { Ctx } from "../context/index.ts";

/** How a video is named in questions and answers. */
export interface NamedVideo {
  readonly id: string;
  readonly title: string;
}

/** More lines might not fit into the 4,096 characters of a message. */
const maxLines = 10;

export function formatVideoLine({ id, title }: NamedVideo): Text {
  return link(cut(title, 80), youtubePages.video(id));
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

/** Shows which of several videos is being worked on; `title` says what is done with them. */
export function showVideoProgress(
  ctx: Ctx,
  videos: readonly NamedVideo[],
  { title, done }: { readonly title: string; readonly done: number },
): void {
  const count = videos.length;
  const facts = { done, count, title: videos[done]?.title ?? "" };
  ctx.progress({ title, text: ctx.words.md("playlists.add.so_far", facts), done: done / count });
}
