import type { ListContent } from "../../records/index.ts";
import { bareHost, isWithinHosts, withoutSlashes } from "../links/find-links.ts";
import { isOwnLink } from "../links/youtube-links.ts";
import { foldCase } from "../text/fold.ts";
import { createTextForms, type TextForms } from "../text/text-forms.ts";
import { splitWords, type WordTokens } from "../text/tokens.ts";
import type { Matcher, MatchInput } from "./types.ts";

/** Shorter words are not searched in spaced-out letters, where they would match by chance. */
const shortestRow = 4;
/** At most so many letters of a spaced-out row are looked at. */
const maxRow = 200;

/**
 * Matches any of tens of thousands of words, links and authors. How long it takes depends on the comment, not on how many
 * there are: each run of whole words of the comment is looked up. Letters that look alike count as the same.
 */
export function listMatcher({ words, links, authors }: ListContent): Matcher {
  const phrases = preparePhrases(words);
  const places = new Map(links.map((link) => [link, link]));
  const ids = new Set(authors);
  return (input) => {
    const { subject, comment, spend } = input;
    const { authorId } = comment;
    if (authorId !== undefined && ids.has(authorId)) return authorId;
    if (places.size > 0) {
      spend?.(subject.written.length);
      const place = findPlace(input, places);
      if (place !== undefined) return place;
    }
    return words.length === 0 ? undefined : findPhrase(subject, phrases, spend);
  };
}

interface Phrases {
  /** Each phrase as it is written, by its form without case and disguise. */
  readonly known: ReadonlyMap<string, string>;
  /** The same without spaces, for those that are long enough. */
  readonly joined: ReadonlyMap<string, string>;
  readonly longest: number;
  /** Entries without letters and digits, which are found anywhere. */
  readonly signs: ReadonlyMap<string, string>;
}

/** Longer ones are cut: nothing is told apart by so many signs. */
const maxSigns = 12;

function preparePhrases(words: readonly string[]): Phrases {
  const known = new Map<string, string>();
  const joined = new Map<string, string>();
  const signs = new Map<string, string>();
  let longest = 0;
  for (const word of words) {
    for (const form of formsOf(word)) {
      if (form === "") {
        signs.set(createTextForms(word).shown().slice(0, maxSigns), word);
        continue;
      }
      if (!known.has(form)) known.set(form, word);
      longest = Math.max(longest, form.length);
      const letters = form.replaceAll(" ", "");
      if (letters.length >= shortestRow && !joined.has(letters)) joined.set(letters, word);
    }
  }
  signs.delete("");
  return { known, joined, longest, signs };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what ASCII is made of
const plain = /^[\u0000-\u007f]*$/u;
/** Signs that may stand for letters. A digit in a list is meant as one. */
const disguise = /[@$|!€]/u;

/** The word itself, and what it reads like without disguise. Folding costs much, and most words need none. */
function formsOf(word: string): readonly string[] {
  if (plain.test(word) && !disguise.test(word)) return [splitWords(foldCase(word)).line.trim()];
  const forms = createTextForms(word);
  return [forms.tokens(), ...forms.alike()].map(({ line }) => line.trim());
}

function findPhrase(
  subject: TextForms,
  phrases: Phrases,
  spend: ((steps: number) => void) | undefined,
): string | undefined {
  const readings = [
    subject.tokens(),
    ...subject.alike(),
    ...subject.unstretched(),
    ...subject.turned(),
    ...subject.foreign(),
  ];
  for (const line of new Map(readings.map((tokens) => [tokens.line, tokens])).values()) {
    const found = findRun(line, phrases, spend);
    if (found !== undefined) return found;
  }
  return findJoined(subject, phrases, spend) ?? findSigns(subject, phrases, spend);
}

function findSigns(
  subject: TextForms,
  { signs }: Phrases,
  spend: ((steps: number) => void) | undefined,
): string | undefined {
  if (signs.size === 0) return undefined;
  const shown = subject.shown();
  spend?.(shown.length * maxSigns);
  for (let start = 0; start < shown.length; start += 1) {
    for (let end = start + 1; end <= start + maxSigns; end += 1) {
      const found = signs.get(shown.slice(start, end));
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Each run of whole words, up to the longest phrase. */
function findRun(
  { line, ends }: WordTokens,
  { known, longest }: Phrases,
  spend: ((steps: number) => void) | undefined,
): string | undefined {
  const edges = edgesOf(line, ends);
  for (const [at, start] of edges.entries()) {
    if (line[start] === " ") continue;
    spend?.(longest);
    for (let next = at + 1; next < edges.length; next += 1) {
      const end = edges[next] ?? 0;
      if (end - start > longest) break;
      const found = line[end - 1] === " " ? undefined : known.get(line.slice(start, end));
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Where words begin and end. */
function edgesOf(line: string, ends: ReadonlySet<number>): readonly number[] {
  const edges: number[] = [];
  for (let at = 1; at < line.length; at += 1) {
    if (line[at] === " " || line[at - 1] === " " || ends.has(at)) edges.push(at);
  }
  return edges;
}

/** Words that were split by signs or spaces: `s p a m`, `s.p.a.m`. */
function findJoined(
  subject: TextForms,
  { joined, longest }: Phrases,
  spend: ((steps: number) => void) | undefined,
): string | undefined {
  for (const { words, rows } of subject.joined()) {
    for (const word of words.words) {
      const found = joined.get(word);
      if (found !== undefined) return found;
    }
    for (const row of rows) {
      const letters = row.slice(0, maxRow);
      spend?.(letters.length * longest);
      for (let start = 0; start < letters.length; start += 1) {
        const last = Math.min(letters.length, start + longest);
        for (let end = start + shortestRow; end <= last; end += 1) {
          const found = joined.get(letters.slice(start, end));
          if (found !== undefined) return found;
        }
      }
    }
  }
  return undefined;
}

/**
 * Looks up the host and each domain above it, alone and with the beginnings of the path. Links to the channel itself and to
 * sites that the server allows never match, even if a list has them.
 */
function findPlace(
  { subject, ownLinks, allowedHosts = [] }: MatchInput,
  places: ReadonlyMap<string, string>,
): string | undefined {
  for (const link of subject.links()) {
    if (isWithinHosts(link.host, allowedHosts) || isOwnLink(link, ownLinks)) continue;
    const { url, shown } = link;
    const labels = bareHost(url.hostname).split(".");
    const path = withoutSlashes(url.pathname).split("/").slice(1, 12);
    for (let at = 0; at < Math.min(labels.length - 1, 20); at += 1) {
      const host = labels.slice(at).join(".");
      if (places.has(host) || places.has(`${host}${url.pathname}${url.search}`)) return shown;
      for (let depth = 1; depth <= path.length; depth += 1) {
        if (places.has(`${host}/${path.slice(0, depth).join("/")}`)) return shown;
      }
    }
  }
  return undefined;
}
