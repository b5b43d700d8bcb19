import {
  action,
  type Ctx,
  card,
  type Field,
  join,
  mention,
  notConnected,
  notice,
  type Reply,
  reaches,
  requireRank,
  type Select,
  type Spendable,
  spendable,
  type Text,
  type Words,
} from "../../discord/index.ts";
import { chartOf } from "./chart.ts";
import { nameOf } from "./names.ts";
import { projectFields } from "./projects.ts";
import { amount, said } from "./said.ts";
import { type Line, lately, linesOf, type Sum, sumOf, sumsBy } from "./sums.ts";
import { asFile } from "./table.ts";

export const periods = ["today", "7", "30"] as const;
export const groupings = ["day", "command", "person"] as const;

/** What the card and its chart show. */
export interface Shown {
  readonly days: 1 | 7 | 30;
  readonly by: (typeof groupings)[number];
  readonly what: Spendable;
}

export interface Asking {
  readonly days?: (typeof periods)[number] | undefined;
  readonly by?: Shown["by"] | undefined;
  readonly output?: "list" | "csv" | "json" | undefined;
}

const longest = 30;
/** So that a field holds them all. */
const mostLines = 8;
const credentials = ["video-key", "channel", "background-key"] as const;

const ranks = { day: "member", command: "moderator", person: "manager" } as const;

const show = action<Shown>({
  name: "usage.show",
  answer: "update",
  by: "requester",
  wants: credentials,
  run: (ctx, before, { values: [chosen] }) => {
    const days = periods.find((one) => `days ${one}` === chosen);
    const by = groupings.find((one) => `by ${one}` === chosen);
    const what = spendable.find((one) => `what ${one}` === chosen);
    return draw(ctx, {
      ...before,
      ...(days !== undefined && { days: daysIn(days) }),
      ...(by !== undefined && { by }),
      ...(what !== undefined && { what }),
    });
  },
});

/** What this server spends, and what is left of it. Everybody sees the sums and their own part (docs/decisions.md). */
async function usage(ctx: Ctx<unknown>, asking: Asking): Promise<Reply> {
  const { by = "day", output = "list" } = asking;
  const days = daysIn(asking.days ?? "30");
  requireRank({ rank: ranks[by] }, ctx);
  if (output === "list") return draw(ctx, { days, by });
  return asFile(ctx, lately(await read(ctx), days, ctx.now()), output);
}

async function read(ctx: Ctx<unknown>): Promise<readonly Line[]> {
  return linesOf(...(await Promise.all([ctx.unitsSpent(longest), ctx.creditsSpent(longest)])));
}

async function draw(
  ctx: Ctx<unknown>,
  wanted: Omit<Shown, "what"> & { readonly what?: Spendable },
): Promise<Reply> {
  // A rank may have been taken away since.
  requireRank({ rank: ranks[wanted.by] }, ctx);
  const { words } = ctx;
  const lines = await read(ctx);
  if (lines.length === 0 && !credentials.some((kind) => ctx.has(kind))) return unconnected(ctx);
  const some = lately(lines, wanted.days, ctx.now());
  const what = wanted.what ?? spendable.find((kind) => sumOf(some)[kind] > 0) ?? "units";
  const shown = { ...wanted, what };
  const [chart, projects] = await Promise.all([chartOf(ctx, lines, shown), projectFields(ctx)]);
  return card({
    title: words.say("usage.title"),
    ...(lines.length === 0 && { text: words.say("usage.empty") }),
    fields: [...projects, ...sumFields(ctx, lines), ...lists(ctx, some, shown)],
    ...(chart && { preview: chart }),
    footer: words.say("usage.footer"),
    buttons: [{ label: words.say("usage.refresh"), press: show.press(shown) }],
    selects: selects(ctx, shown),
  });
}

/** The way to a first connection, without the alarm of a failure. */
function unconnected({ rank, words }: Ctx<unknown>): Reply {
  const { facts } = notConnected("video-key", rank);
  const command = words.command(`${facts.command}`);
  const isOwner = facts.isOwner === true;
  return notice({
    tone: "info",
    title: words.say("usage.unconnected.title"),
    text: words.md("usage.unconnected.text", { command, isOwner: `${isOwner}` }),
  });
}

function sumFields(ctx: Ctx<unknown>, lines: readonly Line[]): readonly Field[] {
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
function lists(ctx: Ctx<unknown>, lines: readonly Line[], { days }: Shown): readonly Field[] {
  const { rank, words } = ctx;
  const byCommand = sumsBy(lines, ({ command }) => nameOf(command, words));
  const byPerson = sumsBy(lines, ({ userId }) => userId);
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

function selects({ rank, words }: Ctx<unknown>, shown: Shown): readonly Select[] {
  const press = show.press(shown);
  const whats = spendable.map((what) => ({
    label: words.say(`choices.usage-what.${what}`),
    value: `what ${what}`,
    isDefault: what === shown.what,
  }));
  const bys = groupings
    .filter((by) => reaches(rank, ranks[by]))
    .map((by) => ({
      label: words.say(`choices.usage-by.${by}`),
      value: `by ${by}`,
      isDefault: by === shown.by,
    }));
  const spans = periods.map((days) => ({
    label: words.say(`choices.usage-days.${days}`),
    value: `days ${days}`,
    isDefault: daysIn(days) === shown.days,
  }));
  return [
    { placeholder: words.say("usage.which_days"), options: spans, press },
    { placeholder: words.say("usage.which_kind"), options: whats, press },
    ...(bys.length > 1
      ? [{ placeholder: words.say("usage.which_grouping"), options: bys, press }]
      : []),
  ];
}

function daysIn(period: (typeof periods)[number]): Shown["days"] {
  return period === "today" ? 1 : period === "7" ? 7 : 30;
}

export const usages = { show: usage, actions: [show] } as const;
