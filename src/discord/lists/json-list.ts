import { setImmediate as nextTurn } from "node:timers/promises";

/** A long list in one go would keep everybody else waiting; other work has its turn after so many entries. */
export const entriesATurn = 50;

/** A list as `JSON.stringify` writes it for people, each entry made by `make` when its turn comes. */
export async function jsonList<T>(
  items: readonly T[],
  make: (item: T) => unknown = (item) => item,
): Promise<string> {
  if (items.length === 0) return "[]";
  const written: string[] = [];
  for (const item of items) {
    written.push(indented(JSON.stringify(make(item), null, 2)));
    if (written.length % entriesATurn === 0) await nextTurn();
  }
  return `[\n${written.join(",\n")}\n]`;
}

function indented(text: string): string {
  return `  ${text.replaceAll("\n", "\n  ")}`;
}
