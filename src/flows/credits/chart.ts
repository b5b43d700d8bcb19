import type { CreditsSpent } from "../../budget/index.ts";
import type { Ctx, ReplyFile } from "../../discord/index.ts";
import { daily, sumOf } from "./spent.ts";

/** Undefined when there is nothing to draw, or it can't be drawn: the figures stand in the answer as well. */
export async function chartOf(
  ctx: Ctx<unknown>,
  spent: readonly CreditsSpent[],
  days: number,
): Promise<ReplyFile | undefined> {
  const { words, images, signal } = ctx;
  const all = daily(spent, days, ctx.now());
  const most = Math.max(...all.map(({ credits }) => credits));
  if (most <= 0) return undefined;
  const label = new Intl.DateTimeFormat(words.tag, {
    day: "numeric",
    month: "numeric",
    timeZone: "UTC",
  });
  const bars = all.map(({ day, credits }) => ({
    label: label.format(new Date(day)),
    value: credits,
    shown: credits === 0 ? "" : words.number(credits),
  }));
  try {
    const data = await images.chart({ bars, language: words.tag, signal });
    const alt = words.say("credits.chart", { days, credits: sumOf(all).credits, most });
    return { name: "credits.png", data, alt };
  } catch (error) {
    if (signal.aborted) throw error;
    ctx.log.warn("the chart of credits was not drawn", { error });
    return undefined;
  }
}
