import { type SpendingKind, spendingKinds } from "../../budget/index.ts";
import {
  type CardField,
  join,
  mention,
  type ReplyFile,
  reaches,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import type { Ctx } from "../context/index.ts";
import {
  datesOfLastDays,
  recentLines,
  sumLines,
  sumLinesBy,
  type UsageLine,
  type UsageSum,
  type UsageView,
} from "./sums.ts";

/** `51 units, 3 searches and 0.25 credits` */
function formatSum(sum: UsageSum, words: Words): string {
  const parts = spendingKinds
    .filter((kind) => sum[kind] > 0)
    .map((kind) => formatAmount(kind, sum[kind], words));
  return parts.length === 0 ? words.say("usage.nothing") : words.list(parts);
}

function formatAmount(bucket: SpendingKind, count: number, words: Words): string {
  return words.say("usage.amount", { bucket, count });
}

/** As many lines as fit into a field. */
const maxLines = 8;

/** What the server and the person spent today and in the last weeks. */
export function periodFields(ctx: Ctx, lines: readonly UsageLine[]): readonly CardField[] {
  const own = lines.filter(({ userId }) => userId === ctx.userId);
  const periodsOf = (some: readonly UsageLine[]) => {
    const line = (days: UsageView["days"]) =>
      ctx.words.md("usage.period", {
        days,
        sum: formatSum(sumLines(recentLines(some, days, ctx.now())), ctx.words),
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

function budgetLines({ budgets, words, now }: Ctx, own: readonly UsageLine[]): readonly Text[] {
  const today = sumLines(recentLines(own, 1, now()));
  return spendingKinds.flatMap((bucket) => {
    const budget = budgets?.[bucket];
    if (budget === undefined) return [];
    const left = Math.max(0, Math.round((budget.amount - today[bucket]) * 1000) / 1000);
    const of = formatAmount(bucket, budget.amount, words);
    return [words.md("usage.budget", { left, of })];
  });
}

/** Sums by command for moderators, and by person for managers. */
export function breakdownFields(
  ctx: Ctx,
  lines: readonly UsageLine[],
  { days, what }: UsageView,
): readonly CardField[] {
  const { rank, words } = ctx;
  const byCommand = sumLinesBy(lines, ({ command }) => nameSpendingSource(command, words), what);
  const byPerson = sumLinesBy(lines, ({ userId }) => userId, what);
  return [
    ...(reaches(rank, "moderator")
      ? sumsField(words.say("usage.by_command", { days }), byCommand, (name) => name, words)
      : []),
    ...(reaches(rank, "manager")
      ? sumsField(words.say("usage.by_person", { days }), byPerson, mention, words)
      : []),
  ];
}

function sumsField(
  name: string,
  sums: readonly (readonly [string, UsageSum])[],
  formatKey: (key: string) => Text,
  words: Words,
): readonly CardField[] {
  if (sums.length === 0) return [];
  const rest = sums.slice(maxLines);
  const lines = sums
    .slice(0, maxLines)
    .map(([key, sum], at) =>
      words.md("usage.line", { place: at + 1, who: formatKey(key), sum: formatSum(sum, words) }),
    );
  const others = words.md("usage.others", {
    count: rest.length,
    sum: formatSum(totalOf(rest), words),
  });
  return [{ name, value: join(rest.length === 0 ? lines : [...lines, others]) }];
}

function totalOf(sums: readonly (readonly [string, UsageSum])[]): UsageSum {
  const total = { units: 0, searches: 0, uploads: 0, credits: 0 };
  for (const [, sum] of sums) {
    for (const kind of spendingKinds)
      total[kind] = Math.round((total[kind] + sum[kind]) * 1000) / 1000;
  }
  return total;
}

const kinds = ["video-key", "channel"] as const;
const buckets = ["units", "searches", "uploads"] as const satisfies readonly SpendingKind[];

type ProjectLeft = NonNullable<Awaited<ReturnType<Ctx["left"]>>>;

/** How much quota each project has left today. If a count can't be read, the rest of the card is shown anyway. */
export async function projectQuotaFields(ctx: Ctx): Promise<readonly CardField[]> {
  const fields = kinds
    .filter((kind) => ctx.has(kind))
    .map(async (kind): Promise<CardField> => {
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
    ctx.log.warn("the quota left could not be read", { error });
    return words.say("usage.untold");
  }
}

function linesOf(left: ProjectLeft, words: Words): readonly Text[] {
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

/** As many bars as have room for their names. */
const maxBars = 8;
/** A single bar shows nothing. */
const minDays = 7;

/** A chart of what was spent. Undefined if there is nothing to draw or drawing fails: the text has the figures too. */
export async function usageChart(
  ctx: Ctx,
  lines: readonly UsageLine[],
  shown: UsageView,
): Promise<ReplyFile | undefined> {
  const { words, images, signal } = ctx;
  const days = shown.by === "day" ? Math.max(shown.days, minDays) : shown.days;
  const all = recentLines(lines, days, ctx.now());
  const some = all.filter(({ kind }) => kind === shown.what);
  const bars = shown.by === "day" ? byDay(ctx, some, days, shown.what) : byName(ctx, all, shown);
  const most = Math.max(0, ...bars.map(({ value }) => value));
  if (most <= 0) return undefined;
  const named = bars.map((bar) => ({
    ...bar,
    shown: bar.value === 0 ? "" : words.number(bar.value),
  }));
  try {
    const data = await images.chart({ bars: named, language: words.tag, signal });
    const { what, by } = shown;
    const sum = sumLines(some)[what];
    const alt = words.say("usage.chart", { bucket: what, by, days, count: sum, most });
    return { name: "usage.png", data, alt };
  } catch (error) {
    if (signal.aborted) throw error;
    ctx.log.warn("the chart of usage could not be drawn", { error });
    return undefined;
  }
}

interface UsageBar {
  readonly label: string;
  readonly value: number;
}

function byDay(
  { words, now }: Ctx,
  lines: readonly UsageLine[],
  days: number,
  kind: SpendingKind,
): readonly UsageBar[] {
  const label = new Intl.DateTimeFormat(words.tag, {
    day: "numeric",
    month: "numeric",
    timeZone: "UTC",
  });
  const some = Map.groupBy(lines, ({ day }) => day);
  return datesOfLastDays(kind, days, now()).map((day) => ({
    label: label.format(new Date(day)),
    value: sumLines(some.get(day) ?? [])[kind],
  }));
}

/** Bars in the order of the list. People are labelled by their place in it, because the bot does not read names. */
function byName(
  { words }: Ctx,
  lines: readonly UsageLine[],
  { by, what }: UsageView,
): readonly UsageBar[] {
  const key =
    by === "person"
      ? (line: UsageLine) => line.userId
      : (line: UsageLine) => nameSpendingSource(line.command, words);
  const sums = sumLinesBy(lines, key, what).slice(0, maxBars);
  return sums.map(([name, sum], at) => ({
    label: by === "person" ? words.say("usage.place", { place: at + 1 }) : name,
    value: sum[what],
  }));
}

/** Names what quota was spent with: it is counted by a command's path, a menu's title or an action's name. */
export function nameSpendingSource(command: string, words: Words): string {
  // Only a menu's title begins with a capital; an action's name may be the key of a message with placeholders.
  if (/^[A-Z]/u.test(command)) return titleOf(command, words) ?? command;
  const [top = ""] = command.split(/[ .]/u);
  if (words.find(`${top}.command.description`) === undefined)
    return words.say("usage.other_buttons");
  if (!command.includes(".")) return words.command(command);
  return words.say("usage.buttons", { command: words.command(top) });
}

function titleOf(menu: string, words: Words): string | undefined {
  return words.find(`${menu.toLowerCase().replaceAll(" ", "-")}.title`);
}
