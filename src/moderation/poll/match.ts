import { InputError } from "../../errors.ts";

/** Whether a text holds what is looked for. */
export type Match = (text: string) => boolean;

const pattern = /^\/(.+)\/$/su;
/** Letters of languages that write words apart: a word is looked for as a word there. */
const apart = /[\p{L}\p{N}]/u;
const together =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * Reads what is looked for: words and phrases, or patterns between slashes, all whatever their case.
 * @throws InputError `rule_pattern`.
 */
export async function readMatch(wanted: readonly string[]): Promise<Match> {
  const matches = await Promise.all(wanted.map(matchOf));
  return (text) => matches.some((match) => match(text));
}

async function matchOf(wanted: string): Promise<Match> {
  const [, source] = pattern.exec(wanted) ?? [];
  return source === undefined ? phrase(wanted) : compiled(source);
}

async function compiled(source: string): Promise<Match> {
  // Few watches have a pattern, and loading the engine takes longer than a poll.
  const { RE2JS } = await import("re2js");
  try {
    const engine = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE);
    return (text) => engine.matcher(text).find();
  } catch (cause) {
    throw new InputError("a pattern can't be read", {
      code: "rule_pattern",
      hint: "This pattern can't be read. Write it in RE2's syntax, without look-ahead and back-references.",
      facts: { pattern: source },
      cause,
    });
  }
}

function phrase(wanted: string): Match {
  const sought = folded(wanted.trim());
  if (sought === "") return () => false;
  return (text) => isWithin(folded(text), sought);
}

function isWithin(text: string, sought: string): boolean {
  for (let at = text.indexOf(sought); at >= 0; at = text.indexOf(sought, at + 1)) {
    const before = [...text.slice(Math.max(0, at - 2), at)].at(-1) ?? "";
    const after = [...text.slice(at + sought.length, at + sought.length + 2)][0] ?? "";
    const [first = "", last = ""] = [[...sought][0], [...sought].at(-1)];
    if (!isJoined(before, first) && !isJoined(last, after)) return true;
  }
  return false;
}

/** Whether two letters stand within one word. */
function isJoined(one: string, other: string): boolean {
  if (together.test(one) || together.test(other)) return false;
  return apart.test(one) && apart.test(other);
}

function folded(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}
