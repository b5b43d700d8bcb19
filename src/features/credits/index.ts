import type { CreditAccount, SeenRateLimit } from "../../background/index.ts";
import { type LimitedRank, limitedRanks } from "../../budget/index.ts";
import {
  type CardField,
  card,
  compact,
  join,
  mention,
  notice,
  notification,
  type Reply,
  reaches,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import type { Ctx } from "../context/index.ts";
import { action } from "../declarations/index.ts";
import { drawSpendingChart, formatDay } from "../usage/index.ts";
import {
  type CreditSum,
  creditDaysLeft,
  dailyCredits,
  recentCredits,
  sumCredits,
  sumCreditsBy,
} from "./sums.ts";

const periods = [7, 30] as const;
type Period = (typeof periods)[number];

type SpentCredits = Awaited<ReturnType<Ctx["creditsSpent"]>>;

/** The card warns when fewer credits are left, or enough for fewer days. */
const lowCredits = { credits: 5, days: 3 } as const;

/** As many lines as fit into a field. */
const maxLines = 8;

const maxShownDays = 365;

const showPeriod = action<{ readonly days: Period }>({
  name: "background.account",
  rank: "moderator",
  needs: ["background-key"],
  run: (ctx, before, { values }) =>
    showAccount(ctx, periods.find((days) => `${days}` === values[0]) ?? before.days),
});

/**
 * The balance of the remove.bg key, and what this server spent of it. It is never cached: remove.bg's own figure already
 * lags by some seconds, and others may use the same key.
 */
async function showAccount(ctx: Ctx, days: Period = 30): Promise<Reply> {
  const { words, signal } = ctx;
  const [balance, spent] = await Promise.all([
    ctx.background.account({ signal }),
    ctx.creditsSpent(30),
  ]);
  const perDay = dailyCredits(spent, days, ctx.now());
  const chart = await drawSpendingChart(ctx, {
    name: "credits",
    title: words.say("credits.chart_title"),
    bars: perDay.map(({ day, credits }) => ({ label: formatDay(day, words), value: credits })),
    describe: (most) =>
      words.say("credits.chart", { days, credits: sumCredits(perDay).credits, most }),
  });
  const text = balanceLines(balance, spent, ctx);
  return card({
    title: words.say("credits.title"),
    text: text.length > 0 ? join(text) : undefined,
    fields: [
      ...balanceFields(balance, words),
      rateField(ctx, ctx.background.rateLimit()),
      ...spentFields(ctx, spent, days),
    ],
    preview: chart,
    footer: words.say("credits.footer"),
    buttons: [{ label: words.say("credits.refresh"), press: showPeriod.press({ days }) }],
    selects: [
      {
        placeholder: words.say("credits.period"),
        options: periods.map((period) => ({
          label: words.say("credits.days", { days: period }),
          value: `${period}`,
          isDefault: period === days,
        })),
        press: showPeriod.press({ days }),
      },
    ],
  });
}

/** A warning when the credits are used up, or nearly, and how long they last. */
function balanceLines(
  { credits: { total }, api: { freeCalls } }: CreditAccount,
  spent: SpentCredits,
  { words, now }: Ctx,
): readonly Text[] {
  if (total <= 0) {
    return [words.md(freeCalls > 0 ? "credits.only_free" : "credits.none", { freeCalls })];
  }
  const days = creditDaysLeft(total, spent, now());
  const isLow = total < lowCredits.credits || (days !== undefined && days < lowCredits.days);
  const pace = days !== undefined && days > maxShownDays ? "long" : "days";
  return compact([
    isLow && words.md("credits.low"),
    days !== undefined && words.say(`credits.pace.${pace}`, { days }),
  ]);
}

function balanceFields({ credits, api }: CreditAccount, words: Words): readonly CardField[] {
  const { total, ...kinds } = credits;
  const parts = (["subscription", "payg", "enterprise"] as const).map((kind) =>
    words.md(`credits.kinds.${kind}`, { count: kinds[kind] }),
  );
  const sum = words.md("credits.total", {
    credits: words.say("background.credits", { count: total }),
  });
  return [
    { name: words.say("credits.balance"), value: join([sum, ...parts]), inline: true },
    {
      name: words.say("credits.free.name"),
      value: words.say("credits.free.left", { count: api.freeCalls }),
      inline: true,
    },
  ];
}

/** The rate limit as remove.bg's last answer gave it, and when that was. Its minute may be over by now. */
function rateField({ words, now }: Ctx, rate: SeenRateLimit | undefined): CardField {
  const name = words.say("credits.rate.name");
  if (rate === undefined) return { name, value: words.md("credits.rate.unknown") };
  const { limit, remaining, resetAt, seenAt } = rate;
  const values = { limit, remaining, reset: time(resetAt), seen: time(seenAt) };
  const isOver = now() >= resetAt.getTime();
  const lines = [
    words.md("credits.rate.limit", values),
    words.md(isOver ? "credits.rate.over" : "credits.rate.left", values),
    words.md("credits.rate.seen", values),
  ];
  return { name, value: join(lines) };
}

function spentFields(ctx: Ctx, spent: SpentCredits, days: Period): readonly CardField[] {
  const { words } = ctx;
  const now = ctx.now();
  const lengths = { today: 1, week: 7, month: 30 };
  const sums = (["today", "week", "month"] as const).map((key) =>
    words.md(`credits.spent.${key}`, {
      sum: formatSum(sumCredits(recentCredits(spent, lengths[key], now)), words),
    }),
  );
  const chosen = recentCredits(spent, days, now);
  const byCommand = sumCreditsBy(chosen, ({ command }) => nameCreditSource(command, words));
  const byPerson = sumCreditsBy(chosen, ({ userId }) => userId).map(
    ([id, sum]) => [mention(id), sum] as const,
  );
  return [
    {
      name: words.say("credits.spent.name"),
      value: join(sums),
    },
    ...sumFields(words.say("credits.by_command", { days }), byCommand, words),
    // Only managers see who spent how much.
    ...(reaches(ctx.rank, "manager")
      ? sumFields(words.say("credits.by_person", { days }), byPerson, words)
      : []),
  ];
}

function sumFields(
  name: string,
  sums: readonly (readonly [Text, CreditSum])[],
  words: Words,
): readonly CardField[] {
  if (sums.length === 0) return [];
  const rest = sums.slice(maxLines);
  const lines = sums
    .slice(0, maxLines)
    .map(([who, sum]) => words.md("credits.line", { who, sum: formatSum(sum, words) }));
  const others = sumCredits(rest.map(([, sum]) => sum));
  const last = words.md("credits.line", {
    who: words.say("credits.others", { count: rest.length }),
    sum: formatSum(others, words),
  });
  return [{ name, value: join(rest.length === 0 ? lines : [...lines, last]) }];
}

function formatSum({ credits, pictures }: CreditSum, words: Words): string {
  return words.say("credits.sum", { credits, pictures });
}

/** Names what credits were spent with: they are counted by a command's path, a menu's title or an action's name. */
function nameCreditSource(command: string, words: Words): string {
  if (command === "Remove background") return words.say("remove-background.title");
  // This action is the command's own form, not a button below a result.
  if (command === "background.submitted") return words.command("background remove");
  return command.startsWith("background ") ? words.command(command) : words.say("credits.buttons");
}

/** Tells the owner that half of the credits went today; once a day. */
const halfEvent = notification({
  name: "credits-half",
  to: ({ guildId }) => ({ kind: "notices", guildId }),
  run: ({ words }, { spent, left }) =>
    notice({
      tone: "warning",
      title: words.say("credits.half.title"),
      text: words.md("credits.half.text", {
        spent: words.say("background.credits", { count: spent }),
        left: words.say("background.credits", { count: left }),
        account: words.mention("background account"),
        budget: words.mention("connect budget"),
      }),
    }),
});

/** Tells the owner of a server that had its key before credits were limited what the limits are; once. */
const limitsEvent = notification({
  name: "credits-limits",
  to: ({ guildId }) => ({ kind: "notices", guildId }),
  run: ({ words }, { limits }) =>
    notice({
      tone: "neutral",
      title: words.say("credits.limits.title"),
      text: join([
        words.md("credits.limits.why"),
        ...creditLimitLines(limits, words),
        words.md("credits.limits.change", { budget: words.mention("connect budget") }),
      ]),
    }),
});

export const credits = {
  account: showAccount,
  actions: [showPeriod],
  notifications: [halfEvent, limitsEvent],
} as const;

/** `Each member: 3 credits a day`, for each level; null or undefined is no limit. */
export function creditLimitLines(
  limits: Readonly<Partial<Record<LimitedRank, number | null>>>,
  words: Words,
): readonly Text[] {
  return limitedRanks.map((rank) => {
    const limit = limits[rank] ?? undefined;
    return words.md("budget.line", {
      who: words.say(`choices.rank.${rank}`),
      amounts:
        limit === undefined
          ? words.say("budget.unlimited")
          : words.say("usage.amount", { bucket: "credits", count: limit }),
    });
  });
}
