import { cut, type Words } from "../../discord/index.ts";
import type { HeldComment } from "../../moderation/index.ts";
import { authorOf } from "./comment.ts";

const mostAuthors = 8;

export interface AuthorOf {
  readonly key: string;
  readonly name: string;
  readonly items: readonly HeldComment[];
}

/** Who wrote them, those with most first. */
export function authorsOf(items: readonly HeldComment[], words: Words): readonly AuthorOf[] {
  const groups = Map.groupBy(items, ({ comment }) => comment.authorId ?? "");
  const authors = [...groups].flatMap(([key, theirs]): readonly AuthorOf[] => {
    const [first] = theirs;
    return first === undefined
      ? []
      : [{ key, name: cut(authorOf(first.comment, words), 60), items: theirs }];
  });
  return authors.sort((one, other) => other.items.length - one.items.length);
}

/** Their names in a sentence; of those with several, how many. */
export function authorsIn(items: readonly HeldComment[], words: Words): string {
  const authors = authorsOf(items, words);
  const shown = authors
    .slice(0, mostAuthors)
    .map(({ name, items }) =>
      items.length === 1
        ? name
        : words.say("watch.digest.author_count", { author: name, count: items.length }),
    );
  const count = authors.length - shown.length;
  return words.list([
    ...shown,
    ...(count > 0 ? [words.say("watch.digest.others", { count })] : []),
  ]);
}
