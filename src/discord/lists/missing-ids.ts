import { cut, type Text } from "../draw/text.ts";
import type { Words } from "../draw/words.ts";

/** A message has room for more; nobody reads them. */
const longestList = 400;

/** What a list that was asked for by ids does not hold; undefined when it holds them all, or was asked for otherwise. */
export function missingIds(
  params: object,
  items: readonly unknown[],
  words: Words,
): Text | undefined {
  const { id } = params as { readonly id?: unknown };
  if (!Array.isArray(id)) return undefined;
  const held = new Set(items.map(idOf));
  const missing = id.map(String).filter((one) => !held.has(one));
  if (missing.length === 0) return undefined;
  const ids = cut(missing.join(", "), longestList);
  return words.md("common.not_found", { count: missing.length, ids });
}

function idOf(item: unknown): string | undefined {
  // A rating tells its video's id, and has none of its own.
  const { id, videoId } = item as { readonly id?: string; readonly videoId?: string };
  return id ?? videoId;
}
