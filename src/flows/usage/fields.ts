import { spendable } from "../../budget/index.ts";
import {
  type Ctx,
  type Field,
  join,
  mention,
  reaches,
  type Text,
  type Words,
} from "../../discord/index.ts";
import { nameOf } from "./names.ts";
import { amount, said } from "./said.ts";
import type { Shown } from "./shown.ts";
import { type Line, lately, type Sum, sumOf, sumsBy } from "./sums.ts";

/** So that a field holds them all. */
const mostLines = 8;

/** What the server spent, and the person. */
export function sumFields(ctx: Ctx<unknown>, lines: readonly Line[]): readonly Field[] {
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
    { name: ctx.words.say("usage.server"), value: join(periodsOf(lines), "\n") },
    {
      name: ctx.words.say("usage.you"),
      value: join([...periodsOf(own), ...budgetLines(ctx, own)], "\n"),
    },
  ];
}

function budgetLines({ budgets, words, now }: Ctx<unknown>, own: readonly Line[]): readonly Text[] {
  const today = sumOf(lately(own, 1, now()));
  return spendable.flatMap((bucket) => {
    const budget = budgets?.[bucket];
    if (budget === undefined) return [];
    const left = Math.max(0, Math.round((budget.amount - today[bucket]) * 1000) / 1000);
    const of = amount(bucket, budget.amount, words);
    return [words.md("usage.budget", { left, of })];
  });
}

/** By command for those who look after the server, by person for those who decide about money. */
export function lists(
  ctx: Ctx<unknown>,
  lines: readonly Line[],
  { days, what }: Shown,
): readonly Field[] {
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
  return [{ name, value: join(rest.length === 0 ? lines : [...lines, others], "\n") }];
}

function totalOf(sums: readonly (readonly [string, Sum])[]): Sum {
  const total = { units: 0, searches: 0, uploads: 0, credits: 0 };
  for (const [, sum] of sums) {
    for (const kind of spendable) total[kind] = Math.round((total[kind] + sum[kind]) * 1000) / 1000;
  }
  return total;
}
