import { setImmediate as nextTurn } from "node:timers/promises";

/** A long list in one go would keep everybody else waiting, so other work gets a turn after this many entries. */
export const entriesATurn = 50;

interface JsonListOptions<T> {
  /** Makes an entry just before it is written; the item itself when absent. */
  readonly make?: (item: T) => unknown;
  /** How many levels above the list are indented. */
  readonly depth?: number;
}

/** A list as `JSON.stringify` with two spaces writes it. */
export async function formatJsonList<T>(
  items: Iterable<T> | AsyncIterable<T>,
  { make = (item) => item, depth = 0 }: JsonListOptions<T> = {},
): Promise<string> {
  const written: string[] = [];
  const indent = "  ".repeat(depth);
  for await (const item of items) {
    const text = JSON.stringify(make(item), null, 2);
    written.push(`${indent}  ${text.replaceAll("\n", `\n${indent}  `)}`);
    if (written.length % entriesATurn === 0) await nextTurn();
  }
  if (written.length === 0) return "[]";
  return `[\n${written.join(",\n")}\n${indent}]`;
}
