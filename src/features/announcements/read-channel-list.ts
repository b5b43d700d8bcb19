import { setImmediate } from "node:timers/promises";
import { typedText } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import {
  type ChannelRef,
  channelNamedBy,
  channelText,
  readChannelRef,
} from "../../video-links/index.ts";

/** A list of channels as people hand it over. */
export interface ChannelList {
  /** Without duplicates, in their order. */
  readonly refs: readonly ChannelRef[];
  /** Entries that are no channels, shortened. */
  readonly unread: readonly string[];
  /** Channel titles from the list, by channel id; absent if it has none. */
  readonly titles?: ReadonlyMap<string, string>;
}

/** More than an export of somebody who follows a thousand channels. */
export const maxListBytes = 512 * 1024;
export const maxListEntries = 1_000;
/** Reading so many takes up to 20 ms. */
const entriesAtOnce = 20;
const maxEntryChars = 500;
const maxEntryWords = 10;

/**
 * `name`: what the list is called in an error. Reads channels in a text with links, handles and ids, separated by lines, commas or spaces; in the subscriptions that Google
 * Takeout exports (CSV), or in the subscriptions of a feed reader (OPML).
 * @throws InputError `import_format`, `import_xml`, `import_too_many`, `import_empty`
 */
export async function readChannelList(text: string, name: string): Promise<ChannelList> {
  const entries = /^\s*</u.test(text) ? readOpml(text, name) : readLines(text, name);
  if (entries.length === 0)
    throw new InputError("nothing is listed", {
      code: "import_empty",
      facts: { option: "channels" },
    });
  requireFew(entries.length);
  const refs = new Map<string, ChannelRef>();
  const unread = new Set<string>();
  const titles = new Map<string, string>();
  for (const [index, entry] of entries.entries()) {
    // Other interactions have their turn meanwhile.
    if (index % entriesAtOnce === 0) await setImmediate();
    const found = typeof entry === "string" ? channelsIn(entry) : [{ id: entry.id }];
    if (typeof entry !== "string" && entry.title) titles.set(entry.id, typedText(entry.title));
    for (const ref of found) refs.set(channelText(ref).toLowerCase(), ref);
    if (typeof entry === "string" && found.length === 0) unread.add(typedText(entry));
  }
  return {
    refs: [...refs.values()],
    unread: [...unread],
    ...(titles.size > 0 && { titles }),
  };
}

function requireFew(count: number): void {
  if (count <= maxListEntries) return;
  throw new InputError("the list has too many entries", {
    code: "import_too_many",
    facts: { count, most: maxListEntries },
  });
}

/** @throws InputError `import_format` for what is not text */
export function decodeList(bytes: Uint8Array, name: string): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (!text.includes("\0")) return text;
  } catch {
    // Another encoding, or no text.
  }
  throw notAList(name);
}

/** What the reading finds before it looks closer: a channel, or a text that may name one. */
type ListEntry = string | { readonly id: string; readonly title?: string | undefined };

/** The channel of a feed's address, as YouTube itself writes it. */
const feedAddress =
  /^https?:\/\/(?:www\.)?youtube\.com\/(?:xml\/)?feeds\/videos\.xml\?channel_id=(UC[\w-]{22})$/u;
const feedTag = /<outline\b(?:[^<>"']|"[^"<]*"|'[^'<]*')*>/giu;
const address = /\s(?:xmlUrl|htmlUrl)\s*=\s*(?:"([^"]*)"|'([^']*)')/iu;
const heading = /\s(?:title|text)\s*=\s*(?:"([^"]*)"|'([^']*)')/iu;
const entity = /&(?:amp|#38|#x26);/giu;
const quote = /&(?:quot|#34|apos|#39);/giu;

/**
 * The addresses of an OPML's feeds. Only tags are looked for, because a parser of XML takes four times as long and recurses;
 * what could declare entities is refused.
 */
function readOpml(text: string, name: string): readonly ListEntry[] {
  if (/<!(?:DOCTYPE|ENTITY)/iu.test(text)) {
    throw new InputError("the document declares a type", { code: "import_xml", facts: { name } });
  }
  if (!/<opml\b/iu.test(text)) throw notAList(name);
  return [...withoutComments(text).matchAll(feedTag)].flatMap(([tag]) => {
    const [, double, single] = address.exec(tag) ?? [];
    const found = double ?? single;
    if (found === undefined) return [];
    const [, id] = feedAddress.exec(found) ?? [];
    return [id === undefined ? found.replace(entity, "&") : { id, title: titleOf(tag) }];
  });
}

function titleOf(tag: string): string | undefined {
  const [, double, single] = heading.exec(tag) ?? [];
  const title = (double ?? single)?.replace(quote, (one) => (/quot|34/u.test(one) ? '"' : "'"));
  return title?.replace(entity, "&");
}

function withoutComments(text: string): string {
  const [before = "", ...parts] = text.split("<!--");
  const after = parts.map((part) => {
    const end = part.indexOf("-->");
    return end < 0 ? "" : part.slice(end + 3);
  });
  return [before, ...after].join("");
}

const exportedRow = /^"?(UC[\w-]{22})"?\s*[,;\t]/u;
/** The third column: the channel's title. */
const exportedTitle = /^[^,;\t]*[,;\t][^,;\t]*[,;\t]\s*(?:"((?:[^"]|"")*)"|([^",;\t]*))/u;
const listMark = /^\s*(?:[-*•+]|\d{1,4}[.)])\s+/u;

function readLines(text: string, name: string): readonly ListEntry[] {
  if (/^\s*[[{]/u.test(text)) throw notAList(name);
  const lines = text.split(/[\r\n\u2028\u2029]+/u).filter((line) => line.trim() !== "");
  const isExport = lines.some((line) => exportedRow.test(line));
  // The names of the columns, in the language of whoever exported it.
  const rows = isExport && !exportedRow.test(lines[0] ?? "") ? lines.slice(1) : lines;
  requireFew(rows.length);
  const parts = rows.flatMap((row): readonly ListEntry[] => {
    const [, id] = exportedRow.exec(row) ?? [];
    return id === undefined ? row.split(/[,;，；、\t|]+/u) : [{ id, title: exportedTitleOf(row) }];
  });
  requireFew(parts.length);
  const pieces = parts.flatMap((part): readonly ListEntry[] =>
    typeof part === "string" ? splitWords(part) : [part],
  );
  requireFew(pieces.length);
  return pieces
    .map((piece) => (typeof piece === "string" ? piece.replace(listMark, "").trim() : piece))
    .filter((piece) => piece !== "");
}

function exportedTitleOf(row: string): string | undefined {
  const [, quoted, bare] = exportedTitle.exec(row) ?? [];
  return quoted?.replaceAll('""', '"') ?? bare?.trim();
}

const channelWord = /^(?:@.|UC[\w-]{22}$|(?:https?:\/\/)?(?:[a-z]{1,9}\.)?youtube\.com\/)/iu;

/** A list that is pasted into an option is one long line: there Discord makes spaces of line breaks. */
function splitWords(piece: string): readonly string[] {
  const words = piece.trim().split(/\s+/u);
  if (words.length <= maxEntryWords) return [piece];
  // That many words are no list, and checking each one would take long.
  if (words.length > maxListEntries * maxEntryWords) requireFew(words.length);
  const channels = words.filter((word) => channelWord.test(word));
  return channels.length === 0 ? [piece] : channels;
}

/** A piece is a channel, or has links, handles or ids of channels among its words. */
function channelsIn(entry: string): readonly ChannelRef[] {
  if (entry.length > maxEntryChars) return [];
  const whole = channelNamedBy(entry, !/\s/u.test(entry));
  if (whole !== undefined) return [whole];
  const words = entry.split(/\s+/u);
  if (words.length === 1 || words.length > maxEntryWords) return [];
  return words.flatMap((word) => readChannelRef(word) ?? []);
}

function notAList(name: string): InputError {
  return new InputError("that is no list of channels", { code: "import_format", facts: { name } });
}
