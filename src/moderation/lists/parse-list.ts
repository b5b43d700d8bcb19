import { setImmediate as nextTurn } from "node:timers/promises";
import { InputError } from "../../errors.ts";
import { parseUntrustedJson } from "../../untrusted-json.ts";
import type { ListContent } from "../records/index.ts";
import { bareHost, parseUrl, withoutSlashes } from "../rules/links/find-links.ts";
import { parseYouTubeLink } from "../rules/links/youtube-links.ts";

interface ParsedList extends ListContent {
  /** How many entries can't be used: too long, with invisible characters, or something else. */
  readonly skipped: number;
}

const mebibyte = 1024 * 1024;

export const listLimits = {
  bytes: 2 * mebibyte,
  /** The large public lists have some 25,000. */
  entries: 50_000,
  entryChars: 100,
  linkChars: 300,
} as const;

/**
 * Reads a list, and lets other work go on in between. What is not a list is refused whole; single entries that can't be used are
 * counted. @throws InputError `list_refused`
 */
export async function parseList(bytes: Uint8Array): Promise<ParsedList> {
  if (bytes.length > listLimits.bytes) throw refuseLargeList();
  const text = decode(bytes);
  const entries = /^\s*[[{]/u.test(text) ? readJson(text) : readLines(text);
  const found = await sort(entries);
  const count = found.words.length + found.links.length + found.authors.length;
  if (count === 0) throw refuseList("empty", { skipped: found.skipped });
  return found;
}

type Kind = keyof ListContent;
interface ListEntry {
  readonly text: string;
  /** Found out by its looks when absent. */
  readonly kind?: Kind;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what no text has
const binary = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/u;

function decode(bytes: Uint8Array): string {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw refuseList("text", {}, cause);
  }
  if (binary.test(text)) throw refuseList("text");
  if (/^\s*<(?:!doctype|html|\?xml)/iu.test(text)) throw refuseList("page");
  return text;
}

/** An array of entries, or an object with arrays: `words`, `links` (or `domains`), `authors`. */
function readJson(text: string): readonly ListEntry[] {
  const read = parseUntrustedJson(text);
  if (read.state === "invalid") throw refuseList("json", { line: read.line }, read.cause);
  if (read.state === "complex") throw refuseList("many", { most: listLimits.entries });
  if (Array.isArray(read.value)) return read.value.map((one) => toEntry(one));
  const fields = Object(read.value) as Readonly<Record<string, unknown>>;
  const kinds = { words: "words", links: "links", domains: "links", authors: "authors" } as const;
  const entries = Object.entries(kinds).flatMap(([name, kind]) => {
    const listed = Object.hasOwn(fields, name) ? fields[name] : [];
    return Array.isArray(listed) ? listed.map((one) => toEntry(one, kind)) : [];
  });
  if (entries.length === 0) throw refuseList("fields", { allowed: Object.keys(kinds).join(", ") });
  return entries;
}

/** What is no text becomes an entry that can't be used. */
function toEntry(one: unknown, kind?: Kind): ListEntry {
  const text = typeof one === "string" ? one : "";
  return kind === undefined ? { text } : { text, kind };
}

/**
 * One entry per line, undefined for a comment, which begins with `#`, `!` or `//`. Lines of hosts files have an address before the
 * name. A generator, so that the caller can pause in between: two megabytes of line breaks at once take half a second.
 */
function* readLines(text: string): Iterable<ListEntry | undefined> {
  for (const [line] of text.matchAll(/[^\r\n]+/gu)) {
    const comment = line.search(/\s#/u);
    const entry = (comment === -1 ? line : line.slice(0, comment)).trim();
    const isEntry = entry !== "" && !/^(?:[#!]|\/\/)/u.test(entry);
    yield isEntry ? { text: entry.replace(/^(?:0\.0\.0\.0|127\.0\.0\.1)\s+/u, "") } : undefined;
  }
}

/** So many entries take a few milliseconds. */
const entriesOfTurn = 250;

async function sort(entries: Iterable<ListEntry | undefined>): Promise<ParsedList> {
  const found = { words: new Set<string>(), links: new Set<string>(), authors: new Set<string>() };
  let looked = 0;
  let count = 0;
  let skipped = 0;
  for (const entry of entries) {
    looked += 1;
    if (looked % entriesOfTurn === 0) await nextTurn();
    if (entry === undefined) continue;
    count += 1;
    if (count > listLimits.entries) throw refuseList("many", { most: listLimits.entries });
    const { text, kind } = entry;
    const read = readEntry(text.trim(), kind);
    if (read === undefined) skipped += 1;
    else found[read.kind].add(read.text);
  }
  return {
    words: [...found.words],
    links: [...found.links],
    authors: [...found.authors],
    skipped,
  };
}

const channelId = /^UC[\w-]{22}$/u;
/** Control characters, and signs that turn or hide a text: nobody could see what such an entry finds. */
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u;

function readEntry(
  text: string,
  kind: Kind | undefined,
): { readonly kind: Kind; readonly text: string } | undefined {
  if (text === "" || text.length > listLimits.linkChars || hidden.test(text)) return undefined;
  if (kind === "authors" || (kind === undefined && channelId.test(text))) {
    return channelId.test(text) ? { kind: "authors", text } : undefined;
  }
  const link = readLink(text);
  if (link === "") return undefined;
  if (link !== undefined && kind !== "words") return { kind: "links", text: link };
  if (kind === "links" || /^[a-z]+:\/\//iu.test(text)) return undefined;
  const isWord = text.length <= listLimits.entryChars && !isEverywhere(text);
  // A star would match parts of words, and a list of others may match whole words only.
  return isWord && !text.includes("*") ? { kind: "words", text } : undefined;
}

const lone =
  /^(?:[\p{ASCII}\p{N}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]|https?|www)?$/iu;

/** Single letters, digits and signs, and what every link begins with: a list with one of them would match most comments. */
function isEverywhere(text: string): boolean {
  return lone.test(text.normalize("NFKC").replaceAll(/[^\p{L}\p{N}\p{S}]/gu, ""));
}

const labelShape = /^[a-z0-9_-]{1,63}$/u;
const endingShape = /^[a-z][a-z0-9-]{1,62}$/u;

/** Whether it is the name of a host with an ending. */
function isHost(text: string): boolean {
  const labels = text.split(".");
  const isLabel = (label: string) =>
    labelShape.test(label) && !label.startsWith("-") && !label.endsWith("-");
  return labels.length > 1 && labels.every(isLabel) && endingShape.test(labels.at(-1) ?? "");
}

const ipShape = /^\d{1,3}(?:\.\d{1,3}){3}$/u;

function isYouTubeHost(host: string): boolean {
  return /(?:^|\.)(?:youtube\.com|youtu\.be)$/u.test(host);
}

/** A host with its path; undefined for what is none, empty for pages of YouTube that are not one video or channel. */
function readLink(text: string): string | undefined {
  if (!text.includes(".") || /\s/u.test(text)) return undefined;
  // Most lists are plain domains, and parsing an address takes longer than all else.
  if (text.length > 5 && isHost(text) && !isYouTubeHost(text)) return bareHost(text);
  const bare = text
    .replace(/^https?:\/\//iu, "")
    .replace(/^\*\./u, "")
    .replace(/^\|\||\^$/gu, "");
  const url = parseUrl(`https://${bare}`);
  if (url === undefined || url.username !== "" || url.port !== "") return undefined;
  const host = bareHost(url.hostname);
  if (!isHost(host) && !ipShape.test(host)) return undefined;
  // `e.g` and `v1.2` are words with a dot.
  if (!/^https?:|[/?]/iu.test(text) && host.length < 4) return undefined;
  const path = withoutSlashes(url.pathname);
  const isYouTube = isYouTubeHost(host);
  if (isYouTube && parseYouTubeLink({ url }) === undefined) return "";
  return `${host}${isYouTube ? path + url.search : path}`;
}

type ListRefusal =
  | "large"
  | "text"
  | "page"
  | "json"
  | "fields"
  | "many"
  | "empty"
  | "status"
  | "address"
  | "code"
  | "own"
  | "full"
  | "total"
  | "known";

export function refuseLargeList(cause?: unknown): InputError {
  return refuseList("large", { most: listLimits.bytes / mebibyte }, cause);
}

/** A list that can't be used. */
export function refuseList(
  reason: ListRefusal,
  facts: Readonly<Record<string, string | number>> = {},
  cause?: unknown,
): InputError {
  return new InputError(`a list is refused: ${reason}`, {
    code: "list_refused",
    facts: { reason, ...facts },
    cause,
  });
}
