import type { Markup } from "./text.ts";
import type { Words } from "./words.ts";

const cells = 16;

/** How far it is, from 0 to 1, as a bar with a percentage. */
export function progressBar(done: number, words: Words): Markup {
  const share = Math.min(1, Math.max(0, done));
  const full = Math.floor(share * cells);
  return { markup: `${"▰".repeat(full)}${"▱".repeat(cells - full)} ${words.percent(share)}` };
}
