import {
  cut,
  limits,
  oneLine,
  reaches,
  type SuggestedChoice,
  type SuggestionContext,
  type Suggest as SuggestWith,
} from "../../discord/index.ts";
import { firstFilled, type ResourcePage } from "../../video/index.ts";
import { betweenEntries } from "../../video-links/index.ts";
import type { FeatureSuggest, SuggestCtx } from "../context/index.ts";

export interface SuggestionCandidate {
  readonly value: string | number;
  readonly title: string;
  /** What distinguishes it from others, such as its privacy and its date; shown after the title. */
  readonly facts?: readonly (string | undefined)[];
  /** More texts that it is found by, which are not shown. */
  readonly also?: readonly (string | undefined)[];
}

/** The candidates with every word that was typed, the best first; all of them, in their order, if nothing was typed. */
export function matchCandidates(
  typed: string,
  candidates: readonly SuggestionCandidate[],
): readonly SuggestionCandidate[] {
  const words = folded(typed).split(" ").filter(Boolean);
  if (words.length === 0) return candidates;
  return candidates
    .map((candidate) => ({ candidate, distance: distanceTo(words, candidate) }))
    .filter(({ distance }) => distance !== undefined)
    .sort((a, b) => (a.distance ?? 0) - (b.distance ?? 0))
    .map(({ candidate }) => candidate);
}

/** `Title · Private · 21 Nov 2026`; a long title is cut to leave room for the facts. */
export function choiceFor({ value, title, facts = [] }: SuggestionCandidate): SuggestedChoice {
  const behind = facts.flatMap((fact) => (fact ? [` · ${fact}`] : [])).join("");
  const most = limits.command.choiceName;
  const name = cut(oneLine(title) || `${value}`, Math.max(most - behind.length, most / 2));
  return { name: cut(`${name}${behind}`, most), value };
}

export function candidateChoices(
  typed: string,
  candidates: readonly SuggestionCandidate[],
): readonly SuggestedChoice[] {
  return matchCandidates(typed, candidates).slice(0, limits.suggestions).map(choiceFor);
}

/** Suggests what `read` returns, to people who may see it. */
export function suggestFor(
  maySee: (ctx: SuggestCtx) => boolean,
  read: (ctx: SuggestCtx, typed: string) => Promise<readonly SuggestionCandidate[]>,
): FeatureSuggest {
  return async (typed, ctx) => (maySee(ctx) ? candidateChoices(typed, await read(ctx, typed)) : []);
}

/** The first page of a list; also the second once something is typed. */
export async function firstItems<I>(
  typed: string,
  pageAt: (pageToken?: string) => Promise<ResourcePage<I>>,
): Promise<readonly I[]> {
  const { items, nextPageToken } = await firstFilled(pageAt);
  if (typed === "" || nextPageToken === undefined) return items;
  return [...items, ...(await pageAt(nextPageToken)).items];
}

/** Removes case, accents, width and punctuation; words are separated by single spaces. */
function folded(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}@]+/gu, " ")
    .trim();
}

/** 0: begins with what was typed. 1: has words that begin so. 2: has it somewhere. 3: is found by something else. */
function distanceTo(words: readonly string[], candidate: SuggestionCandidate): number | undefined {
  const title = folded(candidate.title);
  if (title.startsWith(words.join(" "))) return 0;
  if (words.every((word) => ` ${title}`.includes(` ${word}`))) return 1;
  if (words.every((word) => title.includes(word))) return 2;
  const rest = [candidate.title, ...(candidate.facts ?? []), ...(candidate.also ?? [])];
  const all = folded([...rest, candidate.value].join(" "));
  return words.every((word) => all.includes(word)) ? 3 : undefined;
}

/**
 * The choices for a name, a link or an id. A pasted link or id is suggested itself, with its title if that is known. A
 * text that only looks like an id may be a word of a title, so matching titles come first.
 */
export function candidateOrPastedChoices(
  typed: string,
  candidates: readonly SuggestionCandidate[],
  read: (text: string) => string | undefined,
): readonly SuggestedChoice[] {
  const id = read(typed);
  if (id === undefined) return candidateChoices(typed, candidates);
  const known = candidates.find(({ value }) => value === id);
  if (known !== undefined) return [choiceFor(known)];
  const others = id === typed.trim() ? candidateChoices(typed, candidates) : [];
  return [...others.slice(0, 24), { name: id, value: id }];
}

/**
 * Suggestions for the last of several values; those before it stay as they are. If spaces separate the values, those
 * before the last must look like values, because titles contain spaces too. `between` separates what is suggested.
 */
export function suggestForLast<C extends Pick<SuggestionContext, "words">>(
  suggest: SuggestWith<C>,
  isOne: (text: string) => unknown,
  between = " ",
): SuggestWith<C> {
  return async (typed, ctx) => {
    const { head, last } = split(typed, isOne);
    const choices = await suggest(last, ctx);
    if (head.length === 0) return choices;
    const count = ctx.words.number(head.length);
    return choices
      .filter(({ value }) => !head.includes(`${value}`))
      .map(({ name, value }) => ({
        name: `${count} + ${name}`,
        value: [...head, value].join(between),
      }));
  };
}

function split(typed: string, isOne: (text: string) => unknown) {
  const pieces = typed.split(betweenEntries).map((piece) => piece.trim());
  const words = (pieces.pop() ?? "").split(/\s+/u);
  const head = pieces.filter(Boolean);
  while (words.length > 1 && isOne(words[0] ?? "") !== undefined) head.push(words.shift() ?? "");
  return { head, last: words.join(" ") };
}

/** Whether the person may see the channel's private data. */
export function maySeePrivate({ rank }: SuggestCtx): boolean {
  return reaches(rank, "moderator");
}

/** Whether suggestions are read as the linked channel, including its private data. */
export function hasOwnView(ctx: SuggestCtx): boolean {
  return maySeePrivate(ctx) && ctx.has("channel");
}

/** Whether any video or playlist can be read without showing the person more than they may see. */
export function hasSafeView(ctx: SuggestCtx): boolean {
  return maySeePrivate(ctx) || ctx.has("video-key");
}

/** Undefined for what is public. */
export function privacyName(
  { words }: SuggestCtx,
  privacy: string | undefined,
): string | undefined {
  if (privacy === undefined || privacy === "public") return undefined;
  return words.find(`choices.privacyStatus.${privacy}`) ?? privacy;
}

/** 21 Nov 2026, in the server's time zone. */
export function dayName(ctx: SuggestCtx, at: string | undefined): string | undefined {
  const date = new Date(at ?? "");
  if (Number.isNaN(date.getTime())) return undefined;
  const timeZone = ctx.settings.timeZone ?? "UTC";
  return new Intl.DateTimeFormat(ctx.words.tag, { dateStyle: "medium", timeZone }).format(date);
}
