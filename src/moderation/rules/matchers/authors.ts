import { refuse } from "./refuse.ts";
import type { Matcher } from "./types.ts";

export const mostAuthors = 200;

/** @throws InputError `rule_authors` */
export function authorsMatcher(
  authors: readonly { readonly id: string; readonly name?: string }[],
): Matcher {
  if (authors.length === 0) throw refuse("rule_authors", { reason: "none" });
  if (authors.length > mostAuthors) {
    throw refuse("rule_authors", { reason: "many", most: mostAuthors });
  }
  const names = new Map(authors.map(({ id, name }) => [id, name ?? id]));
  return ({ comment: { authorId } }) => (authorId === undefined ? undefined : names.get(authorId));
}
