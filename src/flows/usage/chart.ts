import type { Spendable } from "../../budget/index.ts";
import type { Ctx, ReplyFile } from "../../discord/index.ts";
import { nameOf } from "./names.ts";
import type { Shown } from "./shown.ts";
import { daysOf, type Line, lately, sumOf, sumsBy } from "./sums.ts";

/** So that each bar has room for its name. */
const mostBars = 8;
/** A single bar shows nothing. */
const leastDays = 7;

/** Undefined when there is nothing to draw, or drawing failed: the answer has the figures as text too. */
export async function chartOf(
  ctx: Ctx,
  lines: readonly Line[],
  shown: Shown,
): Promise<ReplyFile | undefined> {
  const { words, images, signal } = ctx;
  const days = shown.by === "day" ? Math.max(shown.days, leastDays) : shown.days;
  const all = lately(lines, days, ctx.now());
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
    const sum = sumOf(some)[what];
    const alt = words.say("usage.chart", { bucket: what, by, days, count: sum, most });
    return { name: "usage.png", data, alt };
  } catch (error) {
    if (signal.aborted) throw error;
    ctx.log.warn("the chart of usage was not drawn", { error });
    return undefined;
  }
}

interface Bar {
  readonly label: string;
  readonly value: number;
}

function byDay(
  { words, now }: Ctx,
  lines: readonly Line[],
  days: number,
  kind: Spendable,
): readonly Bar[] {
  const label = new Intl.DateTimeFormat(words.tag, {
    day: "numeric",
    month: "numeric",
    timeZone: "UTC",
  });
  const some = Map.groupBy(lines, ({ day }) => day);
  return daysOf(kind, days, now()).map((day) => ({
    label: label.format(new Date(day)),
    value: sumOf(some.get(day) ?? [])[kind],
  }));
}

/** In the order of the list; people by their place in it, because the bot does not read their names. */
function byName({ words }: Ctx, lines: readonly Line[], { by, what }: Shown): readonly Bar[] {
  const key =
    by === "person" ? (line: Line) => line.userId : (line: Line) => nameOf(line.command, words);
  const sums = sumsBy(lines, key, what).slice(0, mostBars);
  return sums.map(([name, sum], at) => ({
    label: by === "person" ? words.say("usage.place", { place: at + 1 }) : name,
    value: sum[what],
  }));
}
