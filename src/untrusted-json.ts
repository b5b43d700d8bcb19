/**
 * JSON from outside, parsed only if that takes little time: two megabytes of brackets take half a second, and 150,000 names of
 * fields as long.
 */
export type UntrustedJson =
  | { readonly state: "parsed"; readonly value: unknown }
  /** `line`: where it stops being JSON. */
  | { readonly state: "invalid"; readonly line: number; readonly cause: unknown }
  | { readonly state: "complex" };

/** What may stand outside of strings. */
const most = { depth: 32, brackets: 12_000, fields: 21_000, commas: 60_000 } as const;

export function parseUntrustedJson(text: string): UntrustedJson {
  if (isComplex(text)) return { state: "complex" };
  try {
    return { state: "parsed", value: JSON.parse(text) };
  } catch (cause) {
    // V8 names the place, except where the text ends too early.
    const [, place = `${text.length}`] = /at position (\d+)/u.exec(String(cause)) ?? [];
    return { state: "invalid", line: lineAt(text, Number(place)), cause };
  }
}

/** The number of the line, counted from 1. */
function lineAt(text: string, place: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < place; at = text.indexOf("\n", at + 1)) {
    line += 1;
  }
  return line;
}

function isComplex(text: string): boolean {
  const count = { depth: 0, brackets: 0, fields: 0, commas: 0 };
  for (let at = 0; at < text.length; at += 1) {
    switch (text[at]) {
      case '"':
        at = endOfString(text, at + 1);
        break;
      case "[":
      case "{":
        count.depth += 1;
        count.brackets += 1;
        break;
      case "]":
      case "}":
        count.depth -= 1;
        break;
      case ":":
        count.fields += 1;
        break;
      case ",":
        count.commas += 1;
        break;
    }
    if (count.depth > most.depth || count.brackets > most.brackets) return true;
    if (count.fields > most.fields || count.commas > most.commas) return true;
  }
  return false;
}

/** The index of the quotation mark that ends the string. */
function endOfString(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}
