import { type SpendingKind, spendingKinds } from "../../budget/index.ts";
import {
  card,
  compact,
  files,
  notice,
  type Press,
  type Reply,
  reaches,
  requireRank,
  type Select,
  time,
} from "../../discord/index.ts";
import { type Ctx, type CtxFor, credentialMissing } from "../context/index.ts";
import { action, option } from "../declarations/index.ts";
import { type Columns, describeFullFile, jsonEntries, tableEntries } from "../lists/index.ts";
import {
  breakdownFields,
  periodFields,
  readProjectsLeft,
  todayFields,
  usageChart,
} from "./card.ts";
import {
  daysInPeriod,
  groupingRanks,
  recentLines,
  sumLines,
  type UsageLine,
  type UsageView,
  usageGroupings,
  usageLines,
  usagePeriods,
} from "./sums.ts";

export { describeQuotaPart, projectBuckets } from "./card.ts";
export { drawSpendingChart, formatDay } from "./spending-chart.ts";

/** The choices of what the card shows. */
function selects({ rank, words }: Ctx, shown: UsageView, press: Press): readonly Select[] {
  const whats = spendingKinds.map((what) => ({
    label: words.say(`choices.usage-what.${what}`),
    value: `what ${what}`,
    isDefault: what === shown.what,
  }));
  const bys = usageGroupings
    .filter((by) => reaches(rank, groupingRanks[by]))
    .map((by) => ({
      label: words.say(`choices.usage-by.${by}`),
      value: `by ${by}`,
      isDefault: by === shown.by,
    }));
  const spans = usagePeriods.map((days) => ({
    label: words.say(`choices.usage-days.${days}`),
    value: `days ${days}`,
    isDefault: daysInPeriod(days) === shown.days,
  }));
  return compact([
    { placeholder: words.say("usage.which_days"), options: spans, press },
    { placeholder: words.say("usage.which_kind"), options: whats, press },
    bys.length > 1 && { placeholder: words.say("usage.which_grouping"), options: bys, press },
  ]);
}

const usageOptions = {
  days: option.choice({ group: "usage-days", values: usagePeriods }),
  by: option.choice({ group: "usage-by", values: usageGroupings }),
  output: option.choice({ group: "output", values: ["list", "csv", "json"] }),
};

const maxDays = 30;
const credentials = ["video-key", "channel", "background-key"] as const;

const showHistory = action<UsageView>({
  name: "usage.show",
  wants: credentials,
  run: (ctx, before, { values: [chosen] }) => {
    const days = usagePeriods.find((one) => `days ${one}` === chosen);
    const by = usageGroupings.find((one) => `by ${one}` === chosen);
    const what = spendingKinds.find((one) => `what ${one}` === chosen);
    return drawHistory(ctx, {
      ...before,
      ...(days !== undefined && { days: daysInPeriod(days) }),
      ...(by !== undefined && { by }),
      ...(what !== undefined && { what }),
    });
  },
});

const openHistory = action({
  name: "usage.history",
  wants: credentials,
  run: (ctx) => drawHistory(ctx, { days: 30, by: "day" }),
});

const showToday = action({ name: "usage.today", wants: credentials, run: drawToday });

/** What is left today; with options, what was spent. Everyone sees the sums and their own part. */
async function showUsage(ctx: CtxFor<typeof usageOptions>): Promise<Reply> {
  const { options } = ctx;
  const { by = "day" } = options;
  // `raw` is YouTube's own answer, and YouTube is not called here.
  const output = ctx.output === "raw" ? "list" : ctx.output;
  const days = daysInPeriod(options.days ?? "30");
  await requireRank({ rank: groupingRanks[by] }, ctx);
  if (output !== "list")
    return usageFile(ctx, recentLines(await read(ctx), days, ctx.now()), output);
  if (options.days === undefined && options.by === undefined) return drawToday(ctx);
  return drawHistory(ctx, { days, by });
}

async function read(ctx: Ctx): Promise<readonly UsageLine[]> {
  return usageLines(...(await Promise.all([ctx.unitsSpent(maxDays), ctx.creditsSpent(maxDays)])));
}

async function drawToday(ctx: Ctx): Promise<Reply> {
  const { words } = ctx;
  const lines = await read(ctx);
  if (lines.length === 0 && !isConnected(ctx)) return unconnectedNotice(ctx);
  const { fields, resetsAt } = await readProjectsLeft(ctx);
  return card({
    title: words.say("usage.today.title"),
    text: resetsAt
      ? words.md("usage.resets", { relative: time(resetsAt), moment: time(resetsAt, "t") })
      : undefined,
    fields: [...fields, ...todayFields(ctx, lines)],
    buttons: [
      { label: words.say("usage.history.button"), press: openHistory.press({}) },
      { label: words.say("usage.refresh"), press: showToday.press({}) },
    ],
  });
}

async function drawHistory(
  ctx: Ctx,
  wanted: Omit<UsageView, "what"> & { readonly what?: SpendingKind },
): Promise<Reply> {
  // The person may have lost the rank since the card was drawn.
  await requireRank({ rank: groupingRanks[wanted.by] }, ctx);
  const { words } = ctx;
  const lines = await read(ctx);
  if (lines.length === 0 && !isConnected(ctx)) return unconnectedNotice(ctx);
  const some = recentLines(lines, wanted.days, ctx.now());
  const what = wanted.what ?? spendingKinds.find((kind) => sumLines(some)[kind] > 0) ?? "units";
  const shown = { ...wanted, what };
  const chart = await usageChart(ctx, lines, shown);
  return card({
    title: words.say("usage.history.title"),
    text: lines.length === 0 ? words.say("usage.empty") : undefined,
    fields: [...periodFields(ctx, lines), ...breakdownFields(ctx, some, shown)],
    preview: chart,
    footer: words.say("usage.footer"),
    buttons: [
      { label: words.say("usage.today.button"), press: showToday.press({}) },
      { label: words.say("usage.refresh"), press: showHistory.press(shown) },
    ],
    selects: selects(ctx, shown, showHistory.press(shown)),
  });
}

function isConnected(ctx: Ctx): boolean {
  return credentials.some((kind) => ctx.has(kind));
}

/** Says how to connect, without looking like a failure. */
function unconnectedNotice({ rank, words }: Ctx): Reply {
  const { facts } = credentialMissing("video-key", rank);
  const command = words.mention(`${facts.command}`);
  const isOwner = facts.isOwner === true;
  return notice({
    tone: "neutral",
    title: words.say("usage.unconnected.title"),
    text: words.md("usage.unconnected.text", { command, isOwner: `${isOwner}` }),
  });
}

/** The server's spending, as a card or a file. */
export const usageReport = {
  options: usageOptions,
  show: showUsage,
  actions: [showHistory, openHistory, showToday],
} as const;

/** Spending as a file, with as much detail as the person may see on the card. */
async function usageFile(
  ctx: Ctx,
  lines: readonly UsageLine[],
  output: "csv" | "json",
): Promise<Reply> {
  const rows = rowsFor(ctx, lines);
  const { words } = ctx;
  const columns: Columns<UsageRow> = Object.fromEntries(
    columnsFor(ctx).map((name) => [name, name]),
  );
  const made = await ctx.makeFile({
    name: `usage.${output}`,
    entries: output === "json" ? jsonEntries(rows) : tableEntries(rows, columns),
  });
  return files({
    title: words.say("usage.history.title"),
    text: made.isCut
      ? describeFullFile(words, made, rows.length)
      : words.say("common.file.text", { count: rows.length }),
    files: [made.file],
    footer: words.say("usage.footer"),
    isPrivate: true,
  });
}

type UsageColumn = "day" | "of" | "kind" | "command" | "method" | "userId" | "amount";
type UsageRow = Readonly<Partial<Record<UsageColumn, string | number>>>;

function columnsFor({ rank }: Ctx): readonly UsageColumn[] {
  return [
    "day",
    "of",
    "kind",
    ...(reaches(rank, "moderator") ? (["command", "method"] as const) : []),
    ...(reaches(rank, "manager") ? (["userId"] as const) : []),
    "amount",
  ];
}

/** Adds up lines that do not differ in any column. */
function rowsFor(ctx: Ctx, lines: readonly UsageLine[]): readonly UsageRow[] {
  const columns = columnsFor(ctx).filter((name) => name !== "amount");
  const cells = (line: UsageLine) => columns.map((name) => [name, line[name]] as const);
  const groups = Map.groupBy(lines, (line) => JSON.stringify(cells(line)));
  return [...groups.values()].flatMap((some) => {
    const [first] = some;
    if (first === undefined) return [];
    const amount = Math.round(some.reduce((sum, one) => sum + one.amount, 0) * 1000) / 1000;
    return [{ ...Object.fromEntries(cells(first)), amount }];
  });
}
