import { pacificDate } from "../../budget/index.ts";
import { dayMs, hourMs, minuteMs } from "../../clock.ts";
import {
  type Card,
  card,
  compact,
  cut,
  join,
  limits,
  mention,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import type { DecidedAct, WeekSummary } from "../../moderation/index.ts";
import type { NotificationCtx } from "../context/index.ts";
import { action } from "../declarations/index.ts";
import { commentRules } from "../rules/index.ts";
import { drawSpendingChart, formatDay } from "../usage/index.ts";

type SummaryContext = Pick<NotificationCtx, "words" | "images" | "unitsSpent" | "now" | "log">;

/** Minutes are exact enough for hours, and seconds for minutes. */
function roundMedian(ms: number): number {
  const stepMs = ms >= hourMs ? minuteMs : 1_000;
  return Math.round(ms / stepMs) * stepMs;
}

/** One week of moderation as a card with a chart of the quota. */
export async function drawWeekSummary(ctx: SummaryContext, week: WeekSummary): Promise<Card> {
  const { words } = ctx;
  const { days, thisWeek, weekBefore: before } = await readUnits(ctx);
  const chart = await drawSpendingChart(ctx, {
    name: "quota",
    title: words.say("summary.chart_title"),
    bars: days.map(({ day, units }) => ({ label: formatDay(day, words), value: units })),
    describe: () => words.say("summary.chart", { count: thisWeek, before }),
  });
  const { from, to, medianMs, people, suggestions } = week;
  return card({
    title: words.say("summary.title"),
    text: words.md("summary.period", {
      from: time(new Date(from), "D"),
      to: time(new Date(to), "D"),
    }),
    fields: compact([
      { name: words.say("summary.decided"), value: decidedText(week, words) },
      {
        name: words.say("summary.median"),
        value:
          medianMs === undefined
            ? words.say("summary.no_median")
            : words.duration(roundMedian(medianMs)),
        inline: true,
      },
      people.length > 0 && {
        name: words.say("summary.people"),
        value: join(
          people.map(({ userId, count }) =>
            words.md("summary.person", { who: mention(userId), count }),
          ),
        ),
        inline: true,
      },
      {
        name: words.say("summary.quota"),
        value: words.md("summary.quota_text", { count: thisWeek, before }),
      },
      suggestions.length > 0 && {
        name: words.say("summary.rules"),
        value: join(
          suggestions.map(({ kind, what, name = what, count }) =>
            words.md("summary.suggestion", { kind, what: name, count }),
          ),
        ),
      },
    ]),
    ...(chart && { preview: chart }),
    buttons: suggestions.map(({ kind, what, name = what }) => ({
      label: cut(words.say("summary.add_rule", { what: name }), limits.button.label),
      press: addSuggestedRule.press({ kind, what, name }),
    })),
  });
}

const decidedActs = ["approved", "rejected", "banned", "held"] as const satisfies DecidedAct[];

function decidedText({ decided, byRules, before, isMore }: WeekSummary, words: Words): Text {
  const count = decidedActs.reduce((sum, act) => sum + decided[act], 0);
  const parts = decidedActs
    .filter((act) => decided[act] > 0)
    .map((act) => words.say("summary.act", { act, count: decided[act] }));
  return join([
    words.md("summary.total", { count, isMore: `${isMore === true}`, before }),
    parts.length > 0 && parts.join(" · "),
    byRules > 0 && words.say("summary.by_rules", { count: byRules }),
  ]);
}

interface WeekUnits {
  /** Of each of the last 14 days, the oldest first. */
  readonly days: readonly { readonly day: string; readonly units: number }[];
  readonly thisWeek: number;
  readonly weekBefore: number;
}

const shownDays = 14;

async function readUnits({ unitsSpent, now }: SummaryContext): Promise<WeekUnits> {
  const spent = (await unitsSpent(shownDays)).filter(({ bucket }) => bucket === "units");
  const today = Date.parse(pacificDate(now()));
  const days = Array.from({ length: shownDays }, (_, at) => {
    const day = new Date(today - (shownDays - 1 - at) * dayMs).toISOString().slice(0, 10);
    const units = spent.filter((one) => one.day === day).reduce((sum, one) => sum + one.spent, 0);
    return { day, units };
  });
  const sum = (some: WeekUnits["days"]) => some.reduce((total, { units }) => total + units, 0);
  return { days, thisWeek: sum(days.slice(7)), weekBefore: sum(days.slice(0, 7)) };
}

interface SuggestedRule {
  readonly kind: "words" | "authors";
  readonly what: string;
  readonly name: string;
}

/** Tries the suggested rule on recent comments; people decide there whether to switch it on. */
export const addSuggestedRule = action<SuggestedRule>({
  name: "summary.add-rule",
  answer: "private",
  by: "anyone",
  rank: "manager",
  uses: ["commentThreads.list", "videos.list", "playlists.list", "channels.list"],
  run: (ctx, { kind, what, name }) =>
    commentRules.propose(ctx, {
      ...commentRules.defaults,
      kind,
      what,
      does: "suggest_reject",
      name: name.slice(0, commentRules.maxNameChars),
    }),
});
