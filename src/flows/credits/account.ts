import type { Account, SeenRateLimit } from "../../background/index.ts";
import type { CreditsSpent } from "../../budget/index.ts";
import {
  action,
  type Ctx,
  card,
  compact,
  type Field,
  join,
  mention,
  type Reply,
  type ReplyFile,
  reaches,
  type Select,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import { type CreditSum, daily, lasting, lately, sumOf, sumsBy } from "./spent.ts";

const periods = [7, 30] as const;
type Period = (typeof periods)[number];

type Spent = Awaited<ReturnType<Ctx["creditsSpent"]>>;

/** Fewer credits than this, or for fewer days, are worth a warning. */
const low = { credits: 5, days: 3 } as const;

/** So that a field holds them all. */
const mostLines = 8;

const longest = 365;

const show = action<{ readonly days: Period }>({
  name: "background.account",
  answer: "update",
  by: "requester",
  rank: "moderator",
  needs: ["background-key"],
  run: (ctx, before, { values }) =>
    account(ctx, periods.find((days) => `${days}` === values[0]) ?? before.days),
});

/**
 * The balance of the image key and what this server spent of it. Read each time: the balance lags by some seconds as
 * it is (facts: account), and others may use the same key.
 */
async function account(ctx: Ctx, days: Period = 30): Promise<Reply> {
  const { words, signal } = ctx;
  const [balance, spent] = await Promise.all([
    ctx.background.account({ signal }),
    ctx.creditsSpent(30),
  ]);
  const chart = await chartOf(ctx, spent, days);
  const text = compact([stateOf(balance, spent, ctx), paceOf(balance, spent, ctx)]);
  return card({
    title: words.say("credits.title"),
    ...(text.length > 0 && { text: join(text) }),
    fields: [
      ...balanceFields(balance, words),
      rateField(ctx, ctx.background.rateLimit()),
      ...spentFields(ctx, spent, days),
    ],
    ...(chart && { preview: chart }),
    footer: words.say("credits.footer"),
    buttons: [{ label: words.say("credits.refresh"), press: show.press({ days }) }],
    selects: [periodSelect(days, words)],
  });
}

/** Undefined when there is nothing to draw, or it can't be drawn: the reply has the figures as well. */
async function chartOf(
  ctx: Ctx,
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

/** That credits are used up, or nearly. */
function stateOf(balance: Account, spent: Spent, { words, now }: Ctx): Text | undefined {
  const { total } = balance.credits;
  const { freeCalls } = balance.api;
  if (total <= 0)
    return words.md(freeCalls > 0 ? "credits.only_free" : "credits.none", { freeCalls });
  const days = lasting(total, spent, now());
  const isLow = total < low.credits || (days !== undefined && days < low.days);
  return isLow ? words.md("credits.low") : undefined;
}

function paceOf(balance: Account, spent: Spent, { words, now }: Ctx): Text | undefined {
  const days = lasting(balance.credits.total, spent, now());
  if (days === undefined) return undefined;
  return days > longest ? words.say("credits.pace.long") : words.say("credits.pace.days", { days });
}

function balanceFields({ credits, api }: Account, words: Words): readonly Field[] {
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

/** As the last answer with the key said, and when; its minute may be over by now. */
function rateField({ words, now }: Ctx, rate: SeenRateLimit | undefined): Field {
  const name = words.say("credits.rate.name");
  if (rate === undefined) return { name, value: words.md("credits.rate.unknown") };
  const { limit, remaining, resetAt, seenAt } = rate;
  const told = { limit, remaining, reset: time(resetAt), seen: time(seenAt) };
  const isOver = now() >= resetAt.getTime();
  const lines = [
    words.md("credits.rate.limit", told),
    words.md(isOver ? "credits.rate.over" : "credits.rate.left", told),
    words.md("credits.rate.seen", told),
  ];
  return { name, value: join(lines) };
}

function spentFields(ctx: Ctx, spent: Spent, days: Period): readonly Field[] {
  const { words } = ctx;
  const now = ctx.now();
  const line = (key: "today" | "week" | "month", of: number) =>
    words.md(`credits.spent.${key}`, { sum: formatSum(sumOf(lately(spent, of, now)), words) });
  const chosen = lately(spent, days, now);
  const byCommand = sumsBy(chosen, ({ command }) => nameOf(command, words));
  const byPerson = sumsBy(chosen, ({ userId }) => userId).map(
    ([id, sum]) => [mention(id), sum] as const,
  );
  return [
    {
      name: words.say("credits.spent.name"),
      value: join([line("today", 1), line("week", 7), line("month", 30)]),
    },
    ...sumFields(words.say("credits.by_command", { days }), byCommand, words),
    // Who spent how much is for those who decide about money.
    ...(reaches(ctx.rank, "manager")
      ? sumFields(words.say("credits.by_person", { days }), byPerson, words)
      : []),
  ];
}

function sumFields(
  name: string,
  sums: readonly (readonly [Text, CreditSum])[],
  words: Words,
): readonly Field[] {
  if (sums.length === 0) return [];
  const rest = sums.slice(mostLines);
  const lines = sums
    .slice(0, mostLines)
    .map(([who, sum]) => words.md("credits.line", { who, sum: formatSum(sum, words) }));
  const others = sumOf(rest.map(([, sum]) => sum));
  const last = words.md("credits.line", {
    who: words.say("credits.others", { count: rest.length }),
    sum: formatSum(others, words),
  });
  return [{ name, value: join(rest.length === 0 ? lines : [...lines, last]) }];
}

function formatSum({ credits, pictures }: CreditSum, words: Words): string {
  return words.say("credits.sum", { credits, pictures });
}

/** Spending is counted under a command's path, a menu's title, or the name of an action: of a button or a form. */
function nameOf(command: string, words: Words): string {
  if (command === "Remove background") return words.say("remove-background.title");
  // The form of the command itself, which is not a button below a result.
  if (command === "background.submitted") return words.command("background remove");
  return command.startsWith("background ") ? words.command(command) : words.say("credits.buttons");
}

function periodSelect(chosen: Period, words: Words): Select {
  return {
    placeholder: words.say("credits.period"),
    options: periods.map((days) => ({
      label: words.say("credits.days", { days }),
      value: `${days}`,
      isDefault: days === chosen,
    })),
    press: show.press({ days: chosen }),
  };
}

export const credits = { account, actions: [show] } as const;
