import { type Spendable, spendable } from "../../budget/index.ts";
import {
  action,
  type Ctx,
  card,
  notConnected,
  notice,
  type Reply,
  requireRank,
} from "../../discord/index.ts";
import { chartOf } from "./chart.ts";
import { lists, sumFields } from "./fields.ts";
import { projectFields } from "./projects.ts";
import { selects } from "./selects.ts";
import { daysIn, groupings, periods, ranks, type Shown } from "./shown.ts";
import { type Line, lately, linesOf, sumOf } from "./sums.ts";
import { asFile } from "./table.ts";

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
async function usage(ctx: Ctx<unknown>, asking: Asking): Promise<Reply> {
  const { by = "day", output = "list" } = asking;
  const days = daysIn(asking.days ?? "30");
  await requireRank({ rank: ranks[by] }, ctx);
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

export const usages = { show: usage, actions: [show] } as const;
