import { type Spendable, spendable } from "../../budget/index.ts";
import {
  action,
  type Ctx,
  card,
  compact,
  files,
  notConnected,
  notice,
  type Press,
  type Reply,
  reaches,
  requireRank,
  type Select,
  table,
} from "../../discord/index.ts";
import { chartOf } from "./chart.ts";
import { lists, projectFields, sumFields } from "./fields.ts";
import { daysIn, groupings, periods, ranks, type Shown } from "./shown.ts";
import { type Line, lately, linesOf, sumOf } from "./sums.ts";

/** What else the card can show. */
function selects({ rank, words }: Ctx, shown: Shown, press: Press): readonly Select[] {
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
  return compact([
    { placeholder: words.say("usage.which_days"), options: spans, press },
    { placeholder: words.say("usage.which_kind"), options: whats, press },
    bys.length > 1 && { placeholder: words.say("usage.which_grouping"), options: bys, press },
  ]);
}

export interface Asking {
  readonly days?: (typeof periods)[number] | undefined;
  readonly by?: Shown["by"] | undefined;
  readonly output?: "list" | "csv" | "json" | undefined;
}

const longest = 30;
const credentials = ["video-key", "channel", "background-key"] as const;

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
async function usage(ctx: Ctx, asking: Asking): Promise<Reply> {
  const { by = "day", output = "list" } = asking;
  const days = daysIn(asking.days ?? "30");
  await requireRank({ rank: ranks[by] }, ctx);
  if (output === "list") return draw(ctx, { days, by });
  return asFile(ctx, lately(await read(ctx), days, ctx.now()), output);
}

async function read(ctx: Ctx): Promise<readonly Line[]> {
  return linesOf(...(await Promise.all([ctx.unitsSpent(longest), ctx.creditsSpent(longest)])));
}

async function draw(
  ctx: Ctx,
  wanted: Omit<Shown, "what"> & { readonly what?: Spendable },
): Promise<Reply> {
  // A rank may have been taken away since.
  await requireRank({ rank: ranks[wanted.by] }, ctx);
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
    selects: selects(ctx, shown, show.press(shown)),
  });
}

/** Says how to connect, without looking like a failure. */
function unconnected({ rank, words }: Ctx): Reply {
  const { facts } = notConnected("video-key", rank);
  const command = words.command(`${facts.command}`);
  const isOwner = facts.isOwner === true;
  return notice({
    tone: "info",
    title: words.say("usage.unconnected.title"),
    text: words.md("usage.unconnected.text", { command, isOwner: `${isOwner}` }),
  });
}

export const usages = { show: usage, actions: [show] } as const;

/** A file; who sees what is as on the card. */
async function asFile(ctx: Ctx, lines: readonly Line[], output: "csv" | "json"): Promise<Reply> {
  const rows = rowsFor(ctx, lines);
  const { words } = ctx;
  const data =
    output === "json"
      ? JSON.stringify(rows, null, 2)
      : await table(
          rows,
          Object.fromEntries(columnsFor(ctx).map((name) => [name, (row) => row[name]])),
        );
  return files({
    title: words.say("usage.title"),
    text: words.say("common.file.text", { count: rows.length }),
    files: [{ name: `usage.${output}`, data: Buffer.from(data) }],
    footer: words.say("usage.footer"),
    isPrivate: true,
  });
}

type Column = "day" | "of" | "kind" | "command" | "method" | "userId" | "amount";
type Row = Readonly<Partial<Record<Column, string | number>>>;

function columnsFor({ rank }: Ctx): readonly Column[] {
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
function rowsFor(ctx: Ctx, lines: readonly Line[]): readonly Row[] {
  const columns = columnsFor(ctx).filter((name) => name !== "amount");
  const cells = (line: Line) => columns.map((name) => [name, line[name]] as const);
  const groups = Map.groupBy(lines, (line) => JSON.stringify(cells(line)));
  return [...groups.values()].flatMap((some) => {
    const [first] = some;
    if (first === undefined) return [];
    const amount = Math.round(some.reduce((sum, one) => sum + one.amount, 0) * 1000) / 1000;
    return [{ ...Object.fromEntries(cells(first)), amount }];
  });
}
