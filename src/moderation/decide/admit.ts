import type { LimitError } from "../../errors.ts";
import { itemIdOf } from "../ids.ts";
import type { DecisionCount } from "../records/index.ts";
import type { DecideDeps } from "./parts.ts";

interface Comments {
  readonly commentIds: readonly string[];
  readonly source: string;
}

/** Counts a decision about each of them, and answers why others are not to be decided about again today. */
export async function admit(
  deps: DecideDeps,
  guildId: string,
  { commentIds, source }: Comments,
): Promise<ReadonlyMap<string, LimitError>> {
  const { counts } = deps;
  const refused = new Map<string, LimitError>();
  for (const commentId of commentIds) {
    const at = { guildId, commentId };
    const stored = counts.known(at) ?? (await storedOf(deps, guildId, { commentId, source }));
    const of = { ...at, stored };
    const refusal = counts.refusal(of);
    if (refusal === undefined) counts.note(of, counts.next(of));
    else refused.set(commentId, refusal);
  }
  return refused;
}

/** What a queue that holds the comment says of it. A database that can't be read holds no decision up. */
async function storedOf(
  { records, log }: DecideDeps,
  guildId: string,
  { commentId, source }: { readonly commentId: string; readonly source: string },
): Promise<DecisionCount | undefined> {
  try {
    const everywhere = await records.comments.everywhere(guildId, itemIdOf(commentId));
    return everywhere.find((one) => one.source === source && one.decisions !== undefined)
      ?.decisions;
  } catch (error) {
    log.warn("earlier decisions about a comment are not known", { guildId, error });
    return undefined;
  }
}
