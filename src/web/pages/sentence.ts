import { html } from "hono/html";
import type { Speech, Values } from "../speech.ts";

export type Html = ReturnType<typeof html>;

/** Code points that no message uses: they hold the places of the pieces while the sentence is put together. */
const firstMark = 0xe000;

/** A message with pieces of a page in it, such as names; its own words are escaped like everything else. */
export function sentence(
  speech: Speech,
  key: string,
  { pieces = {}, values = {} }: { pieces?: Readonly<Record<string, Html>>; values?: Values },
): Html {
  const marks = Object.keys(pieces).map((name, at) => [name, String.fromCodePoint(firstMark + at)]);
  const said = speech.say(key, { ...values, ...Object.fromEntries(marks) });
  const all = Object.values(pieces);
  const parts = said
    .split(/([\u{e000}-\u{e0ff}])/u)
    .map((part) => all[(part.codePointAt(0) ?? 0) - firstMark] ?? part);
  return html`${parts}`;
}

/** As somebody else wrote it, and however it runs: it turns nothing around it. */
export function name(text: string): Html {
  return html`<bdi class="name">${text}</bdi>`;
}
