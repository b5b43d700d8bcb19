import type { Day } from "./calendar.ts";
import { moderationSum, personSum, projectSum } from "./guild-sums.ts";
import type { Bucket } from "./meter.ts";
import { type GuildPart, leftOfPart, type PartUse } from "./parts.ts";
import { countOf, type Tally, unsavedOf } from "./tally.ts";
import type { Budget, Terms } from "./terms.ts";
import type { Bound, Spender } from "./types.ts";

/** So much of a bound may be spent before it is saved, for the sake of other processes. */
const dearShare = 0.1;

export interface Bounding {
  readonly project: string;
  readonly spender: Spender;
  readonly terms: Terms;
  /** The guild's sums of the day. */
  readonly sums: Tally;
  /** What the guild had spent today when it was erased, if it was. */
  readonly erased: ReadonlyMap<string, number> | undefined;
  /** The project's day. */
  readonly totals: Tally;
  readonly day: Day;
  /** How many servers share the project; undefined where none has a part. */
  readonly servers: number | undefined;
  readonly partOf: (bucket: Bucket, servers: number) => GuildPart;
}

/** Whether anything but the project itself limits this spender. */
export function isBounded({ guild, budgets, isShared }: Terms): boolean {
  return guild !== undefined || budgets !== undefined || isShared === true;
}

/** What limits this spender's part of a bucket. */
export function boundsOf(bucket: Bucket, bounding: Bounding): readonly Bound[] {
  const { project, spender, terms, sums, day } = bounding;
  const resetsAt = new Date(day.endsAt);
  const ceiling = terms.guild?.[bucket];
  const own = terms.budgets?.[bucket];
  const part = partBound(bucket, bounding);
  const bound = (limit: number, used: number) => {
    return { limit, used, left: Math.max(0, limit - used), resetsAt };
  };
  return [
    ...(part === undefined ? [] : [part]),
    ...(ceiling === undefined
      ? []
      : [
          {
            of: "guild",
            ...bound(ceiling, spentOf(projectSum(project, bucket), bounding)),
          } as const,
        ]),
    ...(own === undefined || isExempt(spender, own)
      ? []
      : [
          {
            of: own.of,
            ...(own.rank !== undefined && { rank: own.rank }),
            ...bound(own.amount, countOf(sums, personSum(spender.userId, bucket))),
          },
        ]),
  ];
}

/** Comments that wait are everybody's business: what a rank may spend does not hold their moderation up. */
function isExempt({ purpose }: Spender, { of }: Budget): boolean {
  return purpose === "moderation" && of === "rank";
}

function partBound(bucket: Bucket, bounding: Bounding): Bound | undefined {
  const { totals, day, servers, partOf } = bounding;
  if (servers === undefined) return undefined;
  const part = partOf(bucket, servers);
  const use = partUseOf(bucket, bounding);
  const left = leftOfPart(part, use, countOf(totals, lentOf(bucket)));
  const limit = part.own + part.mostBorrowed;
  return { of: "part", limit, used: use.used, ...left, servers, resetsAt: new Date(day.endsAt) };
}

export function partUseOf(
  bucket: Bucket,
  bounding: Pick<Bounding, "project" | "sums" | "erased">,
): PartUse {
  const { project } = bounding;
  return {
    used: spentOf(projectSum(project, bucket), bounding),
    moderated: spentOf(moderationSum(project, bucket), bounding),
  };
}

/** A guild that erases everything does not get its part once more. */
function spentOf(name: string, { sums, erased }: Pick<Bounding, "sums" | "erased">): number {
  return countOf(sums, name) + (erased?.get(name) ?? 0);
}

/** The project's counter of what its servers spent beyond their own parts. */
export function lentOf(bucket: Bucket): string {
  return `${bucket}.lent`;
}

/** Whether other processes should hear of it soon. */
export function isDearToBounds(bucket: Bucket, bounding: Bounding): boolean {
  const { project, spender, terms, sums, servers, partOf } = bounding;
  const exceeds = (name: string, limit: number | undefined) =>
    limit !== undefined && unsavedOf(sums, name) >= limit * dearShare;
  const part = servers === undefined ? undefined : partOf(bucket, servers);
  return (
    exceeds(projectSum(project, bucket), part && part.own + part.mostBorrowed) ||
    exceeds(projectSum(project, bucket), terms.guild?.[bucket]) ||
    exceeds(personSum(spender.userId, bucket), terms.budgets?.[bucket]?.amount)
  );
}
