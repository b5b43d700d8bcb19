import type { Day } from "./calendar.ts";
import { personSum, projectSum } from "./guild-sums.ts";
import type { Bucket } from "./meter.ts";
import { countOf, type Tally, unsavedOf } from "./tally.ts";
import type { Terms } from "./terms.ts";
import type { Bound, Spender } from "./types.ts";

/** So much of a bound may be spent before it is saved, for the sake of other processes. */
const dearShare = 0.1;

export interface Bounding {
  readonly project: string;
  readonly spender: Spender;
  readonly terms: Terms;
  /** The guild's sums of the day. */
  readonly sums: Tally;
  readonly day: Day;
}

/** Whether anything but the project itself limits this spender. */
export function isBounded({ guild, budgets }: Terms): boolean {
  return guild !== undefined || budgets !== undefined;
}

/** What limits this spender's part of a bucket. */
export function boundsOf(bucket: Bucket, bounding: Bounding): readonly Bound[] {
  const { project, spender, terms, sums, day } = bounding;
  const resetsAt = new Date(day.endsAt);
  const bound = (name: string, limit: number) => {
    const used = countOf(sums, name);
    return { limit, used, left: Math.max(0, limit - used), resetsAt };
  };
  const share = terms.guild?.[bucket];
  const own = terms.budgets?.[bucket];
  // Comments that wait are everybody's business: what a rank may spend does not hold their moderation up.
  const isExempt = spender.purpose === "moderation" && own?.of === "rank";
  return [
    ...(share === undefined
      ? []
      : [{ of: "guild", ...bound(projectSum(project, bucket), share) } as const]),
    ...(own === undefined || isExempt
      ? []
      : [
          {
            of: own.of,
            ...(own.rank !== undefined && { rank: own.rank }),
            ...bound(personSum(spender.userId, bucket), own.amount),
          },
        ]),
  ];
}

/** Whether other processes should hear of it soon. */
export function isDearToBounds(bucket: Bucket, bounding: Bounding): boolean {
  const { project, spender, terms, sums } = bounding;
  const exceeds = (name: string, limit: number | undefined) =>
    limit !== undefined && unsavedOf(sums, name) >= limit * dearShare;
  return (
    exceeds(projectSum(project, bucket), terms.guild?.[bucket]) ||
    exceeds(personSum(spender.userId, bucket), terms.budgets?.[bucket]?.amount)
  );
}
