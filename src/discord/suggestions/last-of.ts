import type { Suggest } from "../declare/suggest.ts";

/**
 * Suggestions for the last of several values; those before it stay as they are. Where spaces part the values too, what
 * stands before the last must be a value by its looks, because a title has spaces of its own.
 */
export function lastOf(suggest: Suggest, isOne: (text: string) => unknown): Suggest {
  return async (typed, ctx) => {
    const { head, last } = split(typed, isOne);
    const choices = await suggest(last, ctx);
    if (head.length === 0) return choices;
    const count = ctx.words.number(head.length);
    return choices
      .filter(({ value }) => !head.includes(`${value}`))
      .map(({ name, value }) => ({
        name: `${count} + ${name}`,
        value: [...head, value].join(" "),
      }));
  };
}

function split(typed: string, isOne: (text: string) => unknown) {
  const pieces = typed.split(/[,;|\n]/u).map((piece) => piece.trim());
  const words = (pieces.pop() ?? "").split(/\s+/u);
  const head = pieces.filter(Boolean);
  while (words.length > 1 && isOne(words[0] ?? "") !== undefined) head.push(words.shift() ?? "");
  return { head, last: words.join(" ") };
}
