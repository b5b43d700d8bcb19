import { pacificDate, quotaResetAfter } from "../../budget/index.ts";
import { createCache } from "../../cache.ts";
import { LimitError } from "../../errors.ts";
import type { DecisionCount } from "../records/index.ts";

/** Most decisions about one comment per day. People change their minds, but each decision costs 50 units. */
export const maxDailyDecisions = 6;
/** How many comments of all servers are cached: about 3 MB. Pushing one out takes as many decisions. */
const maxComments = 20_000;

interface CountedComment {
  readonly guildId: string;
  readonly commentId: string;
  /** The count from the comment's record, which survives a restart. */
  readonly stored?: DecisionCount | undefined;
}

export type DecisionCounts = ReturnType<typeof createDecisionCounts>;

/** Counts how often comments were decided about today, from the queue or by a command. */
export function createDecisionCounts(now: () => number) {
  const countsCache = createCache<DecisionCount>({ maxSize: maxComments });
  const cacheKey = ({ guildId, commentId }: CountedComment) => `${guildId} ${commentId}`;

  function countToday(of: CountedComment): DecisionCount {
    const day = pacificDate(now());
    const all = [countsCache.peek(cacheKey(of)), of.stored].filter((one) => one?.day === day);
    return { day, count: Math.max(0, ...all.map((one) => one?.count ?? 0)) };
  }

  return {
    /** The error if the comment can't be decided about again today; `own` is how many of the count are this decision itself. */
    findError(of: CountedComment, own = 0): LimitError | undefined {
      if (countToday(of).count - own < maxDailyDecisions) return undefined;
      return new LimitError(`a comment was decided about ${maxDailyDecisions} times today`, {
        code: "comment_decided_often",
        facts: { most: maxDailyDecisions },
        retryAt: quotaResetAfter(new Date(now())),
      });
    },
    /** The count with one more decision. */
    next(of: CountedComment): DecisionCount {
      const { day, count } = countToday(of);
      return { day, count: count + 1 };
    },
    note: (of: CountedComment, count: DecisionCount) => void countsCache.set(cacheKey(of), count),
    /** The cached count. */
    known: (of: CountedComment) => countsCache.peek(cacheKey(of)),
  };
}
