import { type Chunk, findChunkRuns, listedValues, readBareWord, tidied } from "./copied-text.ts";
import {
  type ChannelRef,
  looksRandom,
  readChannelId,
  readHandle,
  readPlaylistId,
  readVideoId,
} from "./ids.ts";
import { isLinkHost, type LinkedKind, type LinkedPlace, placeBehind } from "./places.ts";

/** No address that people paste is longer; the rest is ignored. */
const longestAddress = 2_000;

/** What the YouTube addresses of a text lead to, in their order. */
function placesIn(text: string): readonly LinkedPlace[] {
  return findChunkRuns(tidied(text)).flatMap(placesInRun);
}

/** Brackets, quotes and commas may be part of another site's address, so what follows them is too. */
function placesInRun(run: readonly Chunk[]): readonly LinkedPlace[] {
  const places: LinkedPlace[] = [];
  let elsewhere: string | undefined;
  for (const { text, after } of run) {
    // Whether the address before goes on behind the signs: `https://evil.example/?u=(https://…)`.
    const isOpened = /[/\\=?&#]$/u.test(elsewhere ?? "") && !/[\p{Pe}\p{Pf},;|、]/u.test(after);
    const isOwnAddress = schemeAhead.test(text) && !isOpened;
    if (elsewhere !== undefined && !isOwnAddress) continue;
    const place = findPlace(text);
    if (place !== undefined) places.push(place);
    elsewhere = place === undefined && anyAddress.test(text) ? text : undefined;
  }
  return places;
}

const schemeAhead = /^https?:?[/\\]/iu;

const anyAddress = /^[a-z][a-z+.-]{1,20}:[/\\]|\.[^\W\d]{2,24}(?::\d{1,5})?[/\\?#]/iu;

function findPlace(chunk: string): LinkedPlace | undefined {
  const address = addressIn(chunk.slice(0, longestAddress));
  if (address === undefined || !URL.canParse(address)) return undefined;
  return placeBehind(new URL(address));
}

const scheme = /https?:?[/\\]{1,3}/giu;
const otherScheme = /^[^/\\]*:[/\\]{1,3}$/u;

/** The address in a chunk of text, from its host on. What another site's address contains is not meant by it. */
function addressIn(chunk: string): string | undefined {
  for (const { 0: run, index } of chunk.matchAll(/[\w.-]+/gu)) {
    const host = run.replace(/^_{1,3}/u, "");
    if (!host.includes(".") || !isLinkHost(host)) continue;
    const before = chunk.slice(0, index).replace(scheme, "");
    const path = before.replace(otherScheme, "");
    const isInner = (before.includes(".") && /[/\\?#]/u.test(path)) || /[\w-][/\\]+$/u.test(path);
    const rest = chunk.slice(index + run.length).replace(/^:\d{1,5}(?=[/?#])/u, "");
    if (isInner || before.endsWith("@") || rest.startsWith("@")) return undefined;
    return `https://${host}${/^[/\\?#]/u.test(rest) ? rest : ""}`;
  }
  return undefined;
}

/** A part of an address as people type it: `/watch?v=…`, `shorts/…`, `list=…`, `vnd.youtube:…`. */
const partOfAddress =
  /^(?:\/?(?:watch|shorts|live|embed|v|e|video|playlist|channel|user|c|browse)[/?]|\/?(?:@|UC)[^/]{0,200}\/|[?&]?(?:v|list)=)/u;
const appAddress = /^(?:vnd\.)?youtube:(?:\/\/)?/iu;

/** What a text of an option is: the places that it leads to, or a word that is no address. */
interface OptionText {
  readonly places?: readonly LinkedPlace[];
  readonly word?: string | undefined;
}

function readText(text: string): OptionText {
  const places = placesIn(text);
  if (places.length > 0) return { places };
  const word = findSoleWord(text);
  if (word === undefined) return {};
  const typed = placesTyped(word);
  return typed === undefined ? { word: idIn(word) } : { places: typed };
}

/** The places of a part of an address; undefined if it is none. */
function placesTyped(word: string): readonly LinkedPlace[] | undefined {
  const [app] = appAddress.exec(word) ?? [];
  const path = app === undefined ? word : word.slice(app.length);
  if (app !== undefined && readVideoId(path) !== undefined) return placesIn(`youtu.be/${path}`);
  if (app === undefined && !partOfAddress.test(word)) return undefined;
  const place = findPlace(
    `youtube.com/${path.replace(/^[/?&]/u, "").replace(/^(?=v=|list=)/u, "?")}`,
  );
  return place === undefined || place.kind === "other" ? undefined : [place];
}

/** The one word of a text, as it stands there; undefined if it has several. */
function findSoleWord(text: string): string | undefined {
  if (/\p{Extended_Pictographic}/u.test(text)) return undefined;
  const [word, ...others] = listedValues(text);
  return others.length === 0 ? word : undefined;
}

/** The one word of a text, without signs around it; undefined if it has several. */
export function readBareId(text: string): string | undefined {
  const word = findSoleWord(text);
  return word === undefined ? undefined : idIn(word);
}

function idIn(word: string): string {
  const [, id = word] = /^([^?&#]+)[?&#]/u.exec(word) ?? [];
  return readBareWord(id);
}

/** The one value that all of them have; undefined if they differ. */
function findSole<T>(values: readonly T[]): T | undefined {
  const distinct = new Map(values.map((value) => [JSON.stringify(value), value]));
  return distinct.size === 1 ? values[0] : undefined;
}

/** The video of a pasted link or id; undefined when it is neither, or if there are several. */
export function readVideoRef(text: string): string | undefined {
  return videoIn(readText(text));
}

function videoIn({ places, word = "" }: OptionText): string | undefined {
  if (places !== undefined) return findSole(places.flatMap(({ video }) => video ?? []));
  // A dash of a list or Markdown's underscores may stand before an id.
  const whole = /^[\w-]{11}$/u.test(word) ? word : word.replace(/^[-_]{1,3}/u, "");
  return /^[\w-]{11}_{0,3}$/u.test(whole) ? readVideoId(whole) : undefined;
}

/** The playlist of a pasted link or id. */
export function readPlaylistRef(text: string): string | undefined {
  return playlistIn(readText(text));
}

function playlistIn({ places, word = "" }: OptionText): string | undefined {
  if (places !== undefined) return findSole(places.flatMap(({ playlist }) => playlist ?? []));
  return readPlaylistId(word);
}

/** The channel of a pasted link, @handle or id. */
export function readChannelRef(text: string): ChannelRef | undefined {
  return channelIn(readText(text));
}

function channelIn({ places, word }: OptionText): ChannelRef | undefined {
  if (places !== undefined) return findSole(places.flatMap(({ channel }) => channel ?? []));
  if (word === undefined) return undefined;
  const id = readChannelId(word);
  if (id !== undefined) return { id };
  // In right-to-left scripts the @ stands at the end.
  const handle = wholeHandle(/^[^@]+@$/u.test(word) ? `@${word.slice(0, -1)}` : word);
  return handle === undefined ? undefined : { handle };
}

/**
 * The same where only a channel is wanted: a word that is nothing else is a handle without its @, unless other words
 * stand beside it, as in a title.
 */
export function channelNamedBy(text: string, isAlone = true): ChannelRef | undefined {
  const read = readText(text);
  const channel = channelIn(read);
  const isKnown = read.places !== undefined || kindIn(read) !== undefined;
  if (channel !== undefined || !isAlone || isKnown) return channel;
  const handle = wholeHandle(`@${read.word ?? ""}`);
  return handle === undefined ? undefined : { handle };
}

function wholeHandle(word: string): string | undefined {
  // A mention of a person or channel of Discord.
  if (/^@\d{17,20}$/u.test(word)) return undefined;
  const handle = readHandle(word);
  return handle?.length === word.length ? handle : undefined;
}

/**
 * What kind of link or id a text is, if that can be recognised: for messages about a link to the wrong thing. A bare word
 * counts only if it looks like an id and like nothing else.
 */
export function readLinkKind(text: string): Exclude<LinkedKind, "other"> | undefined {
  return kindIn(readText(text));
}

function kindIn(read: OptionText): Exclude<LinkedKind, "other"> | undefined {
  const { places } = read;
  if (places !== undefined) {
    const kind = findSole(places.map((place) => place.kind));
    return kind === "other" ? undefined : kind;
  }
  const video = videoIn(read);
  if (video !== undefined) return looksRandom(video) ? "video" : undefined;
  const playlist = playlistIn(read);
  if (playlist !== undefined) return looksRandom(playlist.slice(2), 80) ? "playlist" : undefined;
  return channelIn(read) === undefined ? undefined : "channel";
}

/** The comment that a pasted link shows on top (`lc=`). */
export function readCommentId(text: string): string | undefined {
  return findSole(readText(text).places?.flatMap(({ comment }) => comment ?? []) ?? []);
}

/** Every video that a text links to, in its order, each once. */
export function videosIn(text: string): readonly string[] {
  return [...new Set(placesIn(text).flatMap(({ video }) => video ?? []))];
}

/** What an option shows for a channel, and reads again. */
export function channelText(ref: ChannelRef): string {
  if ("id" in ref) return ref.id;
  if ("handle" in ref) return ref.handle;
  return "username" in ref ? `youtube.com/user/${ref.username}` : `youtube.com/c/${ref.name}`;
}
