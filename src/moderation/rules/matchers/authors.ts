import { refuseRule } from "./refuse-rule.ts";
import type { Matcher } from "./types.ts";

export const maxAuthors = 200;

/** @throws InputError `rule_authors` */
export function authorsMatcher(
  authors: readonly { readonly id: string; readonly name?: string | undefined }[],
): Matcher {
  if (authors.length === 0) throw refuseRule("rule_authors", { reason: "none" });
  if (authors.length > maxAuthors) {
    throw refuseRule("rule_authors", { reason: "many", most: maxAuthors });
  }
  const names = new Map(authors.map(({ id, name }) => [id, name ?? id]));
  return ({ comment: { authorId } }) => (authorId === undefined ? undefined : names.get(authorId));
}
