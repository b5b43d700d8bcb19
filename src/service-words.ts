import { hasKeyShape } from "./key-shape.ts";

/** What a service says about a failure, in the parts that services have. Anything in them may be missing or odd. */
interface ServiceMessage {
  readonly title?: unknown;
  readonly detail?: unknown;
  /** Its own names for the reason and the place. */
  readonly names?: readonly unknown[];
}

/** Two sentences; a reply is no place for more of it. */
const maxChars = 300;
const masked = "[hidden]";
/** A shorter part of a secret reveals nothing of it, and a shorter secret would match by chance. */
const leastOverlap = 8;
const leastSecret = 6;

/**
 * The service's own words on one line, safe to show and to keep: without secrets, addresses, invisible characters and
 * quotation marks, so that nothing in them can pass for words of ours. Undefined where it says nothing.
 */
export function serviceWords(
  { title, detail, names = [] }: ServiceMessage,
  secrets: readonly string[] = [],
): string | undefined {
  const clean = (value: unknown) => cleanText(value, secrets);
  const text = cut(joined(clean(title), clean(detail)));
  const named = [...new Set(names.map(clean))].filter((name) => name !== "" && name !== text);
  if (named.length === 0) return text === "" ? undefined : text;
  return text === "" ? cut(named.join(", ")) : `${text} (${cut(named.join(", "))})`;
}

/** More than is shown of it, once its tags are gone. */
const maxPlainBytes = 16 * maxChars;

/** What a body says that has not the service's own form: plain text, or a field of a compatible service. No markup. */
export function plainWords(body: Buffer): string | undefined {
  const parsed = readJson(body);
  if (parsed === undefined) {
    const text = body
      .subarray(0, maxPlainBytes)
      .toString()
      .replace(/\ufffd$/u, "");
    return /^\s*<|[\0\ufffd]/u.test(text) ? undefined : text;
  }
  const { message, detail, error, title } = Object(parsed) as Readonly<Record<string, unknown>>;
  return [parsed, message, detail, error, title].find((one) => typeof one === "string");
}

/** The JSON of an answer; undefined where it is none. */
export function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/** Whether an answer is a page for people, such as that of a proxy, and none of an API. */
export function isWebPage({ headers, body }: WebAnswer): boolean {
  const start = body.subarray(0, 200).toString().trimStart().toLowerCase();
  const isCalledOne = /^text\/html\b/i.test(headers["content-type"] ?? "");
  return isCalledOne ? start.startsWith("<") : /^(<!doctype html|<html)\b/.test(start);
}

interface WebAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

function joined(title: string, detail: string): string {
  if (title === "" || detail.includes(title)) return detail;
  if (detail === "" || title.includes(detail)) return title;
  return `${title}${/[.!?:]$/u.test(title) ? "" : ":"} ${detail}`;
}

function cleanText(value: unknown, secrets: readonly string[]): string {
  if (typeof value !== "string") return "";
  const bounded = value.slice(0, 4 * maxChars).toWellFormed();
  const text = bounded
    .replace(/<[a-z/!][^<>]*>/giu, " ")
    // What is not seen would part words, and a secret in two.
    .replace(/[\p{Cf}\p{Cn}\p{Co}]+/gu, "")
    .replace(/[\p{C}\s]+/gu, " ")
    .replace(/(\p{M}{4})\p{M}+/gu, "$1")
    .replace(/\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s"'<>]+/giu, hostOf)
    .replace(/["“”„‟«»「」『』]/gu, "'");
  const known = secrets.filter((secret) => secret.length >= leastSecret);
  const unknown = known.reduce(withoutSecret, text);
  return unknown
    .replace(/\b(bearer|basic)\s+[^\s,;]+/giu, `$1 ${masked}`)
    .replace(
      /((?:key|token|secret|password|authorization)['\s]*[=:]\s*)[^\s&,;]+/giu,
      `$1${masked}`,
    )
    .replace(/[\w.~+/=-]{8,}/gu, (word) => (isSecret(word, known) ? masked : word))
    .trim();
}

/** Without the secret and all of its parts that are long enough to help somebody, in capitals or not. */
function withoutSecret(text: string, secret: string): string {
  const [lowText, lowSecret] = [text.toLowerCase(), secret.toLowerCase()];
  // Some letters have more characters as small ones, and nothing would be at its place.
  if (lowText.length !== text.length) return text.replaceAll(secret, masked);
  const least = Math.min(leastOverlap, secret.length);
  let kept = "";
  let at = 0;
  while (at < text.length) {
    let end = at + least;
    if (end > text.length || !lowSecret.includes(lowText.slice(at, end))) {
      kept += text[at];
      at += 1;
      continue;
    }
    while (end < text.length && lowSecret.includes(lowText.slice(at, end + 1))) end += 1;
    kept += masked;
    at = end;
  }
  return kept;
}

/** An address leads anywhere and may hold a key; its host says whose it is. */
function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname : "";
}

function isSecret(word: string, secrets: readonly string[]): boolean {
  if (secrets.some((secret) => isPartOfOther(word, secret))) return true;
  return !publicId.test(word) && hasKeyShape(word.replace(/[.=]{1,4}$/u, ""));
}

/** Ids of channels, playlists and comments, which look as random as keys do. */
const publicId = /^(UC|UU|PL|FL|LL|Ug)[\w.-]{10,60}$/u;

/** Whether one text contains the other. */
export function isPartOfOther(text: string, secret: string): boolean {
  if (Math.min(text.length, secret.length) < leastOverlap) return false;
  return text.includes(secret) || secret.includes(text);
}

function cut(text: string): string {
  const characters = [...text];
  if (characters.length <= maxChars) return text;
  return `${characters.slice(0, maxChars).join("").trimEnd()}…`;
}
