import type { LimitError } from "../../errors.ts";
import type { DecisionCount } from "../../store/index.ts";
import { itemIdOf } from "../items.ts";
import type { DecideParts } from "./parts.ts";

interface Comments {
  readonly commentIds: readonly string[];
  readonly source: string;
}

/** Counts a decision about each of them, and answers why others are not to be decided about again today. */
export async function admit(
  parts: DecideParts,
  guildId: string,
  { commentIds, source }: Comments,
): Promise<ReadonlyMap<string, LimitError>> {
  const { counts } = parts;
  const refused = new Map<string, LimitError>();
  for (const commentId of commentIds) {
    const at = { guildId, commentId };
    const stored = counts.known(at) ?? (await storedOf(parts, guildId, { commentId, source }));
    const of = { ...at, stored };
    const refusal = counts.refusal(of);
    if (refusal === undefined) counts.note(of, counts.next(of));
    else refused.set(commentId, refusal);
  }
  return refused;
}

/** What a queue that holds the comment says of it. A store that can't be read holds no decision up. */
async function storedOf(
  { items, watches, log }: DecideParts,
  guildId: string,
  { commentId, source }: { readonly commentId: string; readonly source: string },
): Promise<DecisionCount | undefined> {
  try {
    for (const watchId of await watches.watching(guildId, source)) {
      const item = await items.read(guildId, { watchId, itemId: itemIdOf(commentId) });
      if (item?.decisions !== undefined) return item.decisions;
    }
  } catch (error) {
    log.warn("earlier decisions about a comment are not known", { guildId, error });
  }
  return undefined;
}
