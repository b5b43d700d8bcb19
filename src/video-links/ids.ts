/** Which channel is meant: by its id, its handle, its old user name, or the name in an old address. */
export type ChannelRef =
  | { readonly id: string }
  /** With its @. */
  | { readonly handle: string }
  /** The x of `/user/x`. */
  | { readonly username: string }
  /** The x of `/c/x` or `/x`, which no method looks up. Most channels have it as their handle too. */
  | { readonly name: string };

const channelId = /^UC[\w-]{22}$/u;
const playlistId = /^(?:VL)?((?:PL|UU|LL|WL|HL|FL|OL|RD|UL|EC|PU|TL|SP)[\w-]{10,80}|LL|WL|HL)$/u;
/** The first and only word of this length; Markdown's underscores may follow. */
const videoIdAhead = /^([\w-]{11})_{0,3}(?![\w-])/u;
/** YouTube's rules: letters of 75 languages with their marks, digits, underscores, hyphens, full stops, Latin middle dots. */
const handleAhead = /^@([\p{L}\p{N}_.·-][\p{L}\p{N}\p{M}\p{Join_C}_.·-]*)/u;
const mostHandleChars = 30;
/** Scripts other than Latin have shorter minimums (support.google.com/youtube/answer/11585688). */
const leastLatinChars = 3;

/** The video's id that a text begins with, if the rest is no part of it. */
export function readVideoId(text: string): string | undefined {
  return videoIdAhead.exec(text)?.[1];
}

/** A playlist's id, without the `VL` that YouTube Music puts before it. */
export function readPlaylistId(text: string): string | undefined {
  return playlistId.exec(text)?.[1];
}

export function readChannelId(text: string): string | undefined {
  return channelId.test(text) ? text : undefined;
}

/** The handle, with its @, that a text begins with. A full stop behind it belongs to the sentence. */
export function readHandle(text: string): string | undefined {
  const [, run = ""] = handleAhead.exec(text.normalize("NFC")) ?? [];
  let end = run.length;
  while (end > 0 && loose.has(run[end - 1] ?? "")) end -= 1;
  const name = run.slice(0, end);
  const { length } = [...name];
  const least = /^[\w.·-]*$/u.test(name) ? leastLatinChars : 1;
  return length >= least && length <= mostHandleChars ? `@${name}` : undefined;
}

const loose: ReadonlySet<string> = new Set([".", "·", "\u200c", "\u200d"]);

/** Words, numbers and names in one: `Season2`, `my`, `XL`. */
const parts = /[A-Z]?[a-z]+|[A-Z]+|\d+|[_-]/gu;
const leastParts = 4;
/** Titles without blanks have as many as four or five: `OhMyGodWhat`. */
const leastPartsOfLetters = 6;

/**
 * Whether letters, digits and signs alternate as they do in an id and not in words: `dQw4w9WgXcQ`, but not `Timor-Leste`,
 * `Winter_2024` or `JohnDoe1234`. Of random ids, one in eight looks like words.
 */
export function looksRandom(id: string, longestLowerRun = 4): boolean {
  const found = id.match(parts)?.filter((part) => !/^[_-]$/u.test(part)) ?? [];
  const least = /^[A-Za-z]+$/u.test(id) ? leastPartsOfLetters : leastParts;
  const lowerRuns = found.map((part) => part.replace(/[^a-z]/gu, "").length);
  return found.length >= least && Math.max(...lowerRuns) <= longestLowerRun;
}
