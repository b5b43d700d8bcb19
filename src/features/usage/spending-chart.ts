import type { ReplyFile, Words } from "../../discord/index.ts";
import type { Ctx, NotificationCtx } from "../context/index.ts";

interface SpendingChart {
  /** The name of the picture, without its ending. */
  readonly name: string;
  readonly title: string;
  readonly bars: readonly { readonly label: string; readonly value: number }[];
  /** For people who can't see it; `most` is the largest value. */
  readonly describe: (most: number) => string;
}

type ChartContext = Pick<NotificationCtx, "words" | "images" | "log"> &
  Partial<Pick<Ctx, "signal">>;

/** A chart of what was spent. Undefined if there is nothing to draw or drawing fails: the text has the figures too. */
export async function drawSpendingChart(
  { words, images, signal, log }: ChartContext,
  { name, title, bars, describe }: SpendingChart,
): Promise<ReplyFile | undefined> {
  const most = Math.max(0, ...bars.map(({ value }) => value));
  if (most <= 0) return undefined;
  const shown = bars.map((bar) => ({
    ...bar,
    shown: bar.value === 0 ? "" : words.number(bar.value),
  }));
  try {
    const chart = { title, bars: shown, language: words.tag, ...(signal && { signal }) };
    const data = await images.chart(chart);
    return { name: `${name}.png`, data, alt: describe(most) };
  } catch (error) {
    if (signal?.aborted) throw error;
    log.warn(`the chart of ${name} could not be drawn`, { error });
    return undefined;
  }
}

/** `1/31` as the person writes it, of `2026-01-31`. */
export function formatDay(day: string, { tag }: Words): string {
  const format = new Intl.DateTimeFormat(tag, {
    day: "numeric",
    month: "numeric",
    timeZone: "UTC",
  });
  return format.format(new Date(day));
}
