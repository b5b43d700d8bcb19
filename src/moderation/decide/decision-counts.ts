import { pacificDate, quotaResetAfter } from "../../budget/index.ts";
import { createCache } from "../../cache.ts";
import { LimitError } from "../../errors.ts";
import type { DecisionCount } from "../records/index.ts";

/** People change their minds, but each decision costs fifty units. */
export const mostDecisions = 6;
/** Comments that are remembered, the last ones of all servers: about 3 MB. To push one out takes as many decisions. */
const mostComments = 20_000;

interface Counted {
  readonly guildId: string;
  readonly commentId: string;
  /** What the comment's record says of it, which survives a restart. */
  readonly stored?: DecisionCount | undefined;
}

export type DecisionCounts = ReturnType<typeof createDecisionCounts>;

/** How often comments were decided about today, whichever way. */
export function createDecisionCounts(now: () => number) {
  const countsCache = createCache<DecisionCount>({ maxSize: mostComments });
  const keyOf = ({ guildId, commentId }: Counted) => `${guildId} ${commentId}`;

  function today(of: Counted): DecisionCount {
    const day = pacificDate(now());
    const all = [countsCache.peek(keyOf(of)), of.stored].filter((one) => one?.day === day);
    return { day, count: Math.max(0, ...all.map((one) => one?.count ?? 0)) };
  }

  return {
    /** Why it can't be decided about again today; undefined where it can. */
    refusal: (of: Counted) => (today(of).count < mostDecisions ? undefined : decidedOften(now())),
    /** What it is counted as with one decision more. */
    next(of: Counted): DecisionCount {
      const { day, count } = today(of);
      return { day, count: count + 1 };
    },
    note: (of: Counted, count: DecisionCount) => void countsCache.set(keyOf(of), count),
    /** As it is remembered here. */
    known: (of: Counted) => countsCache.peek(keyOf(of)),
  };
}

function decidedOften(now: number): LimitError {
  return new LimitError(`a comment was decided about ${mostDecisions} times today`, {
    code: "comment_decided_often",
    facts: { most: mostDecisions },
    retryAt: quotaResetAfter(new Date(now)),
  });
}
