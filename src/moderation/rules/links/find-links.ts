import { endingOf } from "./tops.ts";

/** An address in a text. */
export interface FoundLink {
  /** As the address reads, for people. */
  readonly shown: string;
  /** In ASCII, without `www.`. */
  readonly host: string;
  readonly url: URL;
}

/** Most that are looked at in one text. */
const mostLinks = 50;
/** No host is longer, however it is encoded, and the time to read one grows with the square of its length. */
const longestHost = 1_000;
/** What follows it makes no difference to where it leads. */
const longestPath = 1_000;

/**
 * Addresses with a scheme and without, and hidden ones: `example dot com`, `example (.) com`, `example .com`, dots of
 * other scripts. Mail addresses are none. The text is in one width, and nothing in it is invisible.
 */
export function linksIn(text: string): readonly FoundLink[] {
  const shown = text.replace(otherDots, ".").replace(hiddenAt, "@");
  if (!mayHide.test(shown)) return [];
  const open = hiddenIn(shown);
  const found = new Map<string, FoundLink>();
  for (const candidate of candidates(shown, open)) {
    const link = linkOf(candidate);
    if (link !== undefined && !found.has(link.url.href)) found.set(link.url.href, link);
    if (found.size >= mostLinks) break;
  }
  return [...found.values()];
}

/** Most comments hold nothing that an address could be made of. */
const mayHide = /[.:]|dot|d0t|точка|ドット|punkt|punto|point|点|점/iu;

interface Candidate {
  readonly text: string;
  readonly kind: "schemed" | "bare" | "hidden";
}

const otherDots = /(?<=[\p{L}\p{N}])[。·•‧∙⋅](?=[\p{L}\p{N}])/gu;
const schemed = /\b(?:h(?:tt|xx|\*\*)ps?|ftp|tg|tor)\s?:\s?[/\\]{1,2}\s?([^\s<>"'`]+)/giu;
// Scripts without spaces run right into an address.
const bare =
  /(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}])[\p{L}\p{N}\-.])+/gu;
const whole = /[\p{L}\p{N}\-.]+/gu;
const rest = /(?::\d+)?(?:[/?#][^\s<>"'`]*)?/uy;

function* candidates(shown: string, open: string): Generator<Candidate> {
  for (const [, text = ""] of shown.matchAll(schemed)) yield { text, kind: "schemed" };
  const others = shown.replace(schemed, " ");
  for (const text of addressesIn(others, bare)) yield { text, kind: "bare" };
  for (const text of addressesIn(others, whole)) yield { text, kind: "bare" };
  if (open === shown) return;
  for (const text of addressesIn(open.replace(schemed, " "), whole)) yield { text, kind: "hidden" };
}

/** Names with dots between, and what follows them; what stands behind an @ or goes on from a word is none. */
function* addressesIn(text: string, runs: RegExp): Generator<string> {
  runs.lastIndex = 0;
  for (let run = runs.exec(text); run !== null; run = runs.exec(text)) {
    const { index } = run;
    const name = nameIn(run[0]);
    if (name === undefined || /[@\w]/u.test(text[index - 1] ?? "")) continue;
    rest.lastIndex = index + name.length;
    const [after = ""] = rest.exec(text) ?? [];
    runs.lastIndex = Math.max(runs.lastIndex, rest.lastIndex);
    yield name + after;
  }
}

/** Up to where two dots stand together, or to the last one. */
function nameIn(run: string): string | undefined {
  const labels = run.split(".");
  const end = labels.indexOf("");
  const named = end === -1 ? labels : labels.slice(0, end);
  return named.length > 1 ? named.join(".") : undefined;
}

const marked =
  /\s{0,3}[([{<]\s{0,3}(?:\.|dot|d0t|punkt|punto|point|точка|ドット|点|점)\s{0,3}[)\]}>]\s{0,3}/giu;
const spelled = /(?<=[\p{L}\p{N}])\s{1,3}(?:dot|d0t|точка|ドット)\s{1,3}(?=[\p{L}\p{N}])/giu;
// Nobody leaves a space before a full stop and goes on with a letter.
const spacedDot = /(?<=[\p{L}\p{N}])\s{1,3}\.\s{0,3}(?=[\p{L}\p{N}])/gu;

// A mail address in disguise is one all the same.
const hiddenAt = /\s{0,3}[([{<]\s{0,3}at\s{0,3}[)\]}>]\s{0,3}/giu;

function hiddenIn(text: string): string {
  return text.replace(marked, ".").replace(spelled, ".").replace(spacedDot, ".");
}

function linkOf({ text, kind }: Candidate): FoundLink | undefined {
  const trimmed = withoutEnd(text);
  const url = urlOf(trimmed);
  if (url === undefined) return undefined;
  const host = bareHost(url.hostname);
  if (kind !== "schemed" && !isLink(trimmed, url, kind)) return undefined;
  if (!host.includes(".") && !host.startsWith("[")) return undefined;
  return { shown: trimmed.slice(0, 80), host, url };
}

/** Without what may stand before an @, which leads nowhere. */
function urlOf(text: string): URL | undefined {
  const path = text.search(/[/?#\\]/u);
  const end = path === -1 ? text.length : path;
  const place = text.slice(text.lastIndexOf("@", end - 1) + 1, end);
  if (place === "" || place.length > longestHost) return undefined;
  return parsed(`https://${place}${text.slice(end, end + longestPath)}`);
}

const endings: ReadonlySet<string> = new Set(".,;:!?'\")]}>»”’…*");

/** Signs behind an address belong to the sentence around it. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && endings.has(text[end - 1] ?? "")) end -= 1;
  return text.slice(0, end);
}

function isLink(text: string, url: URL, kind: Candidate["kind"]): boolean {
  const [name = ""] = text.split(/[/?#:]/u);
  const hasPath = url.pathname.length > 1 || url.search !== "" || url.hash !== "";
  if (/^[\d.]+$/u.test(name))
    return isAddress(name) && (url.port !== "" || /[a-z]/iu.test(url.pathname));
  if (/^www\d?\./iu.test(name)) return true;
  const ending = endingOf(name.slice(name.lastIndexOf(".") + 1));
  if (ending === undefined) return false;
  return ending === "sure" || (hasPath && kind === "bare");
}

function isAddress(name: string): boolean {
  const parts = name.split(".");
  return parts.length === 4 && parts.every((part) => /^\d{1,3}$/u.test(part) && Number(part) < 256);
}

export function parsed(address: string): URL | undefined {
  return URL.canParse(address) ? new URL(address) : undefined;
}

export function bareHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^www\d?\./u, "")
    .replace(/\.$/u, "");
}
