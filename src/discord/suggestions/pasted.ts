import type { Choice } from "../declare/suggest.ts";
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
