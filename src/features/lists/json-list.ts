import type { FileEntry } from "../../discord/index.ts";

interface JsonListOptions {
  /** What stands before and after the list. */
  readonly before?: string;
  readonly after?: string;
  /** How many levels above the list are indented. */
  readonly depth?: number;
}

/** A list as `JSON.stringify` with two spaces writes it, entry by entry. */
export async function* jsonEntries(
  items: Iterable<unknown> | AsyncIterable<unknown>,
  { before = "", after = "", depth = 0 }: JsonListOptions = {},
): AsyncGenerator<FileEntry> {
  const indent = "  ".repeat(depth);
  yield { text: `${before}[`, end: `]${after}`, isHead: true };
  let separator = "";
  for await (const item of items) {
    const text = formatIndented(item, depth + 1);
    yield { text: `${separator}\n${indent}  ${text}`, end: `\n${indent}]${after}` };
    separator = ",";
  }
}

/** A value as JSON, so that it can stand at that depth. */
export function formatIndented(value: unknown, depth: number): string {
  return JSON.stringify(value, null, 2).replaceAll("\n", `\n${"  ".repeat(depth)}`);
}
