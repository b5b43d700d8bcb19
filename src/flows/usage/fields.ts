import { type Spendable, spendable } from "../../budget/index.ts";
import {
  type Ctx,
  type Field,
  join,
  mention,
  reaches,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import { nameOf } from "./names.ts";
import type { Shown } from "./shown.ts";
import { type Line, lately, type Sum, sumOf, sumsBy } from "./sums.ts";

/** `51 units, 3 searches and 0.25 credits` */
function said(sum: Sum, words: Words): string {
  const parts = spendable
    .filter((kind) => sum[kind] > 0)
    .map((kind) => amount(kind, sum[kind], words));
  return parts.length === 0 ? words.say("usage.nothing") : words.list(parts);
}

function amount(bucket: Spendable, count: number, words: Words): string {
  return words.say("usage.amount", { bucket, count });
}

/** So that a field holds them all. */
const mostLines = 8;

/** What the server and the person spent. */
export function sumFields(ctx: Ctx, lines: readonly Line[]): readonly Field[] {
  const own = lines.filter(({ userId }) => userId === ctx.userId);
  const periodsOf = (some: readonly Line[]) => {
    const line = (days: Shown["days"]) =>
      ctx.words.md("usage.period", {
        days,
        sum: said(sumOf(lately(some, days, ctx.now())), ctx.words),
      });
    return [line(1), line(7), line(30)];
  };
  return [
    { name: ctx.words.say("usage.server"), value: join(periodsOf(lines)) },
    {
      name: ctx.words.say("usage.you"),
      value: join([...periodsOf(own), ...budgetLines(ctx, own)]),
    },
  ];
}

function budgetLines({ budgets, words, now }: Ctx, own: readonly Line[]): readonly Text[] {
  const today = sumOf(lately(own, 1, now()));
  return spendable.flatMap((bucket) => {
    const budget = budgets?.[bucket];
    if (budget === undefined) return [];
    const left = Math.max(0, Math.round((budget.amount - today[bucket]) * 1000) / 1000);
    const of = amount(bucket, budget.amount, words);
    return [words.md("usage.budget", { left, of })];
  });
}

/** By command for moderators, by person for managers. */
export function lists(ctx: Ctx, lines: readonly Line[], { days, what }: Shown): readonly Field[] {
  const { rank, words } = ctx;
  const byCommand = sumsBy(lines, ({ command }) => nameOf(command, words), what);
  const byPerson = sumsBy(lines, ({ userId }) => userId, what);
  return [
    ...(reaches(rank, "moderator")
      ? listed(words.say("usage.by_command", { days }), byCommand, (name) => name, words)
      : []),
    ...(reaches(rank, "manager")
      ? listed(words.say("usage.by_person", { days }), byPerson, mention, words)
      : []),
  ];
}

function listed(
  name: string,
  sums: readonly (readonly [string, Sum])[],
  drawn: (key: string) => Text,
  words: Words,
): readonly Field[] {
  if (sums.length === 0) return [];
  const rest = sums.slice(mostLines);
  const lines = sums
    .slice(0, mostLines)
    .map(([key, sum], at) =>
      words.md("usage.line", { place: at + 1, who: drawn(key), sum: said(sum, words) }),
    );
  const others = words.md("usage.others", { count: rest.length, sum: said(totalOf(rest), words) });
  return [{ name, value: join(rest.length === 0 ? lines : [...lines, others]) }];
}

function totalOf(sums: readonly (readonly [string, Sum])[]): Sum {
  const total = { units: 0, searches: 0, uploads: 0, credits: 0 };
  for (const [, sum] of sums) {
    for (const kind of spendable) total[kind] = Math.round((total[kind] + sum[kind]) * 1000) / 1000;
  }
  return total;
}

const kinds = ["video-key", "channel"] as const;
const buckets = ["units", "searches", "uploads"] as const satisfies readonly Spendable[];

type Left = NonNullable<Awaited<ReturnType<Ctx["left"]>>>;

/** What is left today of each project that calls are charged to; a count that can't be read hides nothing else. */
export async function projectFields(ctx: Ctx): Promise<readonly Field[]> {
  const fields = kinds
    .filter((kind) => ctx.has(kind))
    .map(async (kind): Promise<Field> => {
      const name = ctx.words.say("usage.project", { kind: kind.replace("-", "_") });
      return { name, value: await leftOf(ctx, kind), inline: true };
    });
  return Promise.all(fields);
}

async function leftOf(ctx: Ctx, kind: (typeof kinds)[number]): Promise<Text> {
  const { words } = ctx;
  try {
    const left = await ctx.left(kind);
    if (left === undefined) return words.say("usage.untold");
    return join(linesOf(left, words));
  } catch (error) {
    ctx.log.warn("what is left was not told", { error });
    return words.say("usage.untold");
  }
}

function linesOf(left: Left, words: Words): readonly Text[] {
  const { reserved, resetsAt } = left.units;
  return [
    ...buckets.map((bucket) => {
      const { left: count, limit } = left[bucket];
      return words.say("usage.left", { bucket, left: count, limit });
    }),
    ...(reserved > 0 ? [words.say("usage.reserved", { count: reserved })] : []),
    ...buckets.flatMap((bucket) => {
      const { share } = left[bucket];
      if (share === undefined) return [];
      return [words.say("usage.share", { bucket, left: share.left, limit: share.limit })];
    }),
    words.md("usage.resets", { relative: time(resetsAt), moment: time(resetsAt, "t") }),
  ];
}
