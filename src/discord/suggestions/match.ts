import type { Page } from "../../video/index.ts";
import type { Choice, Suggest, SuggestCtx } from "../declare/suggest.ts";
import { limits } from "../draw/limits.ts";
import { cut, oneLine } from "../draw/text.ts";

/** Something that can be chosen. */
export interface Candidate {
  readonly value: string | number;
  readonly title: string;
  /** What tells it from others, such as its privacy and its date; shown behind the title. */
  readonly facts?: readonly (string | undefined)[];
  /** Found by as well, without being shown. */
  readonly also?: readonly (string | undefined)[];
}

/** Those that hold every word that was typed, the best first; all of them, in their order, for nothing typed. */
export function matching(typed: string, candidates: readonly Candidate[]): readonly Candidate[] {
  const words = folded(typed).split(" ").filter(Boolean);
  if (words.length === 0) return candidates;
  return candidates
    .map((candidate) => ({ candidate, distance: distanceOf(words, candidate) }))
    .filter(({ distance }) => distance !== undefined)
    .sort((a, b) => (a.distance ?? 0) - (b.distance ?? 0))
    .map(({ candidate }) => candidate);
}

/** `Title · Private · 21 Nov 2026`; a long title gives way to the facts. */
export function choiceOf({ value, title, facts = [] }: Candidate): Choice {
  const behind = facts.flatMap((fact) => (fact ? [` · ${fact}`] : [])).join("");
  const most = limits.command.choiceName;
  const name = cut(oneLine(title) || `${value}`, Math.max(most - behind.length, most / 2));
  return { name: cut(`${name}${behind}`, most), value };
}

export function choicesOf(typed: string, candidates: readonly Candidate[]): readonly Choice[] {
  return matching(typed, candidates).slice(0, limits.suggestions).map(choiceOf);
}

/** Suggests what is read, to those who may be told. */
export function suggestFor(
  mayBeTold: (ctx: SuggestCtx) => boolean,
  read: (ctx: SuggestCtx, typed: string) => Promise<readonly Candidate[]>,
): Suggest {
  return async (typed, ctx) => (mayBeTold(ctx) ? choicesOf(typed, await read(ctx, typed)) : []);
}

/** Fifty of a list, and fifty more once something is typed. */
export async function firstItems<I>(
  typed: string,
  pageAt: (pageToken?: string) => Promise<Page<I>>,
): Promise<readonly I[]> {
  const { items, nextPageToken } = await pageAt();
  if (typed === "" || nextPageToken === undefined) return items;
  return [...items, ...(await pageAt(nextPageToken)).items];
}

/** Without case, accents, width and punctuation, words between single spaces. */
function folded(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}@]+/gu, " ")
    .trim();
}

/** 0 begins with what was typed, 1 has words that begin so, 2 holds it somewhere, 3 is found by something else. */
function distanceOf(words: readonly string[], candidate: Candidate): number | undefined {
  const title = folded(candidate.title);
  if (title.startsWith(words.join(" "))) return 0;
  if (words.every((word) => ` ${title}`.includes(` ${word}`))) return 1;
  if (words.every((word) => title.includes(word))) return 2;
  const rest = [candidate.title, ...(candidate.facts ?? []), ...(candidate.also ?? [])];
  const all = folded([...rest, candidate.value].join(" "));
  return words.every((word) => all.includes(word)) ? 3 : undefined;
}
