import { LRUCache } from "lru-cache";
import { pacificDate, quotaResetAfter } from "../../budget/index.ts";
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

/** How often comments were decided about today, whichever way. */
export interface DecisionCounts {
  /** Why it can't be decided about again today; undefined where it can. */
  refusal(of: Counted): LimitError | undefined;
  /** What it is counted as with one decision more. */
  next(of: Counted): DecisionCount;
  note(of: Counted, count: DecisionCount): void;
  /** As it is remembered here. */
  known(of: Counted): DecisionCount | undefined;
}

export function createDecisionCounts(now: () => number): DecisionCounts {
  const countsCache = new LRUCache<string, DecisionCount>({ max: mostComments });
  const keyOf = ({ guildId, commentId }: Counted) => `${guildId} ${commentId}`;

  function today(of: Counted): DecisionCount {
    const day = pacificDate(now());
    const all = [countsCache.peek(keyOf(of)), of.stored].filter((one) => one?.day === day);
    return { day, count: Math.max(0, ...all.map((one) => one?.count ?? 0)) };
  }

  return {
    refusal: (of) => (today(of).count < mostDecisions ? undefined : decidedOften(now())),
    next(of) {
      const { day, count } = today(of);
      return { day, count: count + 1 };
    },
    note: (of, count) => void countsCache.set(keyOf(of), count),
    known: (of) => countsCache.peek(keyOf(of)),
  };
}

export function decidedOften(now: number): LimitError {
  return new LimitError(`a comment was decided about ${mostDecisions} times today`, {
    code: "comment_decided_often",
    hint: `A comment can be decided about ${mostDecisions} times a day, because each decision costs quota. It stays as it is until then.`,
    facts: { most: mostDecisions },
    retryAt: quotaResetAfter(new Date(now)),
  });
}
