import type { Choice } from "../options.ts";
import { type Candidate, choiceOf, choicesOf } from "./match.ts";

/**
 * The choices for a name, a link or an id. What was pasted is offered back, with its title where it is known; what only
 * looks like an id may be a word of a title, so those that match go before it.
 */
export function choicesOrPasted(
  typed: string,
  candidates: readonly Candidate[],
  read: (text: string) => string | undefined,
): readonly Choice[] {
  const id = read(typed);
  if (id === undefined) return choicesOf(typed, candidates);
  const known = candidates.find(({ value }) => value === id);
  if (known !== undefined) return [choiceOf(known)];
  const others = id === typed.trim() ? choicesOf(typed, candidates) : [];
  return [...others.slice(0, 24), { name: id, value: id }];
}

/**
 * Suggestions for the last of several values; the ones before it stay as they are. Where spaces part the values too,
 * what stands before the last one must be ids, because a title has spaces of its own.
 */
export function splitLast(
  typed: string,
  isOne: (text: string) => boolean,
): { readonly head: readonly string[]; readonly last: string } {
  const byMarks = typed.split(/[,;|\n]/u).map((piece) => piece.trim());
  const last = byMarks.pop() ?? "";
  const head = byMarks.filter(Boolean);
  const words = last.split(/\s+/u);
  while (words.length > 1 && isOne(words[0] ?? "")) head.push(words.shift() ?? "");
  return { head, last: words.join(" ") };
}
