import { InputError } from "../errors.ts";

/** YouTube's own limit for a comment, in UTF-16 units. Folding makes texts longer, so they are cut again afterwards. */
const maxTextChars = 10_000;

/** The beginning of a text, without half a surrogate pair at its end. */
export function limitText(text: string): string {
  if (text.length <= maxTextChars) return text;
  return text.slice(0, maxTextChars).replace(/[\ud800-\udbff]$/, "");
}

type LengthCode = "note_text" | "reason_text" | "reply_name" | "reply_text";

/** @throws InputError with that code, for a text that is empty or too long. */
export function checkLength(code: LengthCode, text: string, maxChars: number): void {
  const { length } = [...text];
  if (length >= 1 && length <= maxChars) return;
  throw new InputError(`${code} has ${length} characters`, { code, facts: { length, maxChars } });
}

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** At most `most` UTF-16 units of whole characters, with an ellipsis if something was cut. */
export function shortenText(text: string, most: number): string {
  if (text.length <= most) return text;
  let result = "";
  for (const { segment } of segmenter.segment(text.slice(0, most))) {
    if (result.length + segment.length > most - 1) break;
    result += segment;
  }
  return `${result}…`;
}
