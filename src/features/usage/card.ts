import { type QuotaState, type SpendingKind, spendingKinds } from "../../budget/index.ts";
import {
  type CardField,
  compact,
  join,
  mention,
  quotaBar,
  type ReplyFile,
  reaches,
  type Text,
  type Words,
} from "../../discord/index.ts";
import { type Ctx, suggestionsCommand, suggestionUnits } from "../context/index.ts";
import { drawSpendingChart, formatDay } from "./spending-chart.ts";
import {
  datesOfLastDays,
  recentLines,
  sumLines,
  sumLinesBy,
  type UsageLine,
  type UsageSum,
  type UsageView,
} from "./sums.ts";

/** `51 units, 3 searches and 0.25 credits` */
function formatSum(sum: UsageSum, words: Words): string {
  const parts = spendingKinds
    .filter((kind) => sum[kind] > 0)
    .map((kind) => formatAmount(kind, sum[kind], words));
  return parts.length === 0 ? words.say("usage.nothing") : words.list(parts);
}

function formatAmount(bucket: SpendingKind, count: number, words: Words): string {
  return words.say("usage.amount", { bucket, count });
}

/** As many lines as fit into a field. */
const maxLines = 8;

/** What the server and the person spent today, and how much the person may still spend. */
export function todayFields(ctx: Ctx, lines: readonly UsageLine[]): readonly CardField[] {
  const { words } = ctx;
  const today = recentLines(lines, 1, ctx.now());
  const own = today.filter(({ userId }) => userId === ctx.userId);
  const spent = sumLines(own);
  return [
    {
      name: words.say("usage.server"),
      value: join([
        formatSum(sumLines(today), words),
        ...suggestionLines(today, suggestionUnits.guild, words),
      ]),
      inline: true,
    },
    {
      name: words.say("usage.you"),
      value: join([
        formatSum(spent, words),
        ...suggestionLines(own, suggestionUnits.person[ctx.rank], words),
        ...spendingKinds.flatMap((bucket) => {
          const budget = ctx.budgets?.[bucket];
          if (budget === undefined) return [];
          const left = Math.max(0, Math.round((budget.amount - spent[bucket]) * 1000) / 1000);
          const of = formatAmount(bucket, budget.amount, words);
          return [words.md("usage.budget", { left, of })];
        }),
      ]),
      inline: true,
    },
  ];
}

/** What suggestions cost, which are no command of their own, and the most that they may cost. */
function suggestionLines(
  lines: readonly UsageLine[],
  limit: number,
  words: Words,
): readonly Text[] {
  const some = lines.filter(({ command }) => command === suggestionsCommand);
  const { units } = sumLines(some);
  return units === 0 ? [] : [words.say("usage.for_suggestions", { units, limit })];
}

/** What the server and the person spent in the last weeks. */
export function periodFields(ctx: Ctx, lines: readonly UsageLine[]): readonly CardField[] {
  const own = lines.filter(({ userId }) => userId === ctx.userId);
  const describePeriods = (some: readonly UsageLine[]) =>
    ([1, 7, 30] as const).map((days) =>
      ctx.words.md("usage.period", {
        days,
        sum: formatSum(sumLines(recentLines(some, days, ctx.now())), ctx.words),
      }),
    );
  return [
    { name: ctx.words.say("usage.server_period"), value: join(describePeriods(lines)) },
    { name: ctx.words.say("usage.you_period"), value: join(describePeriods(own)) },
  ];
}

/** Sums by command for moderators, and by person for managers. */
export function breakdownFields(
  ctx: Ctx,
  lines: readonly UsageLine[],
  { days, what }: UsageView,
): readonly CardField[] {
  const { rank, words } = ctx;
  const byCommand = sumLinesBy(lines, ({ command }) => nameSpendingSource(command, words), what);
  const byPerson = sumLinesBy(lines, findSpender, what);
  return [
    ...(reaches(rank, "moderator")
      ? sumsField(words.say("usage.by_command", { days }), byCommand, (name) => name, words)
      : []),
    ...(reaches(rank, "manager")
      ? sumsField(
          words.say("usage.by_person", { days }),
          byPerson,
          (who) => (who === automatic ? words.say("usage.automatic") : mention(who)),
          words,
        )
      : []),
  ];
}

const automatic = "automatic";
/** What the bot checks and announces by itself counts under the commands that set it up, without a subcommand. */
const automaticCommands: ReadonlySet<string> = new Set(["watch", "announce"]);

/** Who spent it. */
function findSpender({ command, userId }: UsageLine): string {
  return automaticCommands.has(command) ? automatic : userId;
}

function sumsField(
  name: string,
  sums: readonly (readonly [string, UsageSum])[],
  formatKey: (key: string) => Text,
  words: Words,
): readonly CardField[] {
  if (sums.length === 0) return [];
  const rest = sums.slice(maxLines);
  const lines = sums
    .slice(0, maxLines)
    .map(([key, sum], at) =>
      words.md("usage.line", { place: at + 1, who: formatKey(key), sum: formatSum(sum, words) }),
    );
  const amounts = rest.flatMap(([, sum]) =>
    spendingKinds.map((kind) => ({ kind, amount: sum[kind] })),
  );
  const others = words.md("usage.others", {
    count: rest.length,
    sum: formatSum(sumLines(amounts), words),
  });
  return [{ name, value: join(rest.length === 0 ? lines : [...lines, others]) }];
}

const projects = ["video-key", "channel"] as const;

type ProjectLeft = NonNullable<Awaited<ReturnType<Ctx["left"]>>>;

/** What each project may still spend today, and when it resets. */
export interface ProjectsLeft {
  readonly fields: readonly CardField[];
  readonly resetsAt: Date | undefined;
}

/** If a count can't be read, the rest of the card is shown anyway. */
export async function readProjectsLeft(ctx: Ctx): Promise<ProjectsLeft> {
  const found = await Promise.all(
    projects
      .filter((kind) => ctx.has(kind))
      .map(async (kind) => {
        const left = await ctx.left(kind).catch((error: unknown) => {
          ctx.log.warn("the quota left could not be read", { error });
          return undefined;
        });
        return { kind, left };
      }),
  );
  return {
    fields: found.map(({ kind, left }) => ({
      name: ctx.words.say("usage.project", { kind: kind.replace("-", "_") }),
      value:
        left === undefined
          ? ctx.words.say("usage.untold")
          : join(describeLeft(left, kind, ctx.words)),
    })),
    resetsAt: found.find(({ left }) => left !== undefined)?.left?.units.resetsAt,
  };
}

/** Only a linked channel uploads. */
export const projectBuckets = {
  "video-key": ["units", "searches"],
  channel: ["units", "searches", "uploads"],
} as const satisfies Record<(typeof projects)[number], readonly SpendingKind[]>;

function describeLeft(
  left: ProjectLeft,
  kind: (typeof projects)[number],
  words: Words,
): readonly Text[] {
  const { reserved } = left.units;
  const lines = projectBuckets[kind].flatMap((bucket) => {
    const { left: count, limit, share } = left[bucket];
    const room = share ?? { left: count, limit };
    const shown = { bucket, left: room.left, limit: room.limit };
    return compact([
      words.md("usage.left", { ...shown, bar: quotaBar(room.left, room.limit) }),
      share !== undefined && words.say("usage.project_left", { bucket, left: count, limit }),
      bucket === "units" && reserved > 0 && words.say("usage.reserved", { count: reserved }),
    ]);
  });
  return [...lines, ...describeQuotaPart(left.units, words)];
}

/** As many bars as have room for their names. */
const maxBars = 8;
/** A single bar shows nothing. */
const minDays = 7;

/** A chart of what was spent. Undefined if there is nothing to draw or drawing fails: the text has the figures too. */
export function usageChart(
  ctx: Ctx,
  lines: readonly UsageLine[],
  shown: UsageView,
): Promise<ReplyFile | undefined> {
  const { words } = ctx;
  const { by, what: bucket } = shown;
  const days = by === "day" ? Math.max(shown.days, minDays) : shown.days;
  const all = recentLines(lines, days, ctx.now());
  const some = all.filter(({ kind }) => kind === bucket);
  const perDay = Map.groupBy(some, ({ day }) => day);
  return drawSpendingChart(ctx, {
    name: "usage",
    title: words.say("usage.chart_title", { bucket, by }),
    bars:
      by === "day"
        ? datesOfLastDays(days, ctx.now()).map((day) => ({
            label: formatDay(day, words),
            value: sumLines(perDay.get(day) ?? [])[bucket],
          }))
        : barsByName(ctx, all, shown),
    describe: (most) =>
      words.say("usage.chart", { bucket, by, days, count: sumLines(some)[bucket], most }),
  });
}

/** Bars in the order of the list. People are labelled by their place in it, because the bot does not read names. */
function barsByName({ words }: Ctx, lines: readonly UsageLine[], { by, what }: UsageView) {
  const key =
    by === "person" ? findSpender : (line: UsageLine) => nameSpendingSource(line.command, words);
  const sums = sumLinesBy(lines, key, what).slice(0, maxBars);
  return sums.map(([name, sum], at) => ({
    label: by === "person" ? words.say("usage.place", { place: at + 1 }) : name,
    value: sum[what],
  }));
}

/** Names what quota was spent with: it is counted by a command's path, a menu's title or an action's name. */
export function nameSpendingSource(command: string, words: Words): string {
  if (command === suggestionsCommand) return words.say("usage.suggestions");
  // Only a menu's title begins with a capital; an action's name may be the key of a message with placeholders.
  if (/^[A-Z]/u.test(command))
    return words.find(`${command.toLowerCase().replaceAll(" ", "-")}.title`) ?? command;
  const [top = ""] = command.split(/[ .]/u);
  if (words.find(`${top}.command.description`) === undefined)
    return words.say("usage.other_buttons");
  if (automaticCommands.has(command))
    return words.say("usage.automatic_of", { command: words.command(top) });
  if (!command.includes(".")) return words.command(command);
  return words.say("usage.buttons", { command: words.command(top) });
}

/** How large the linked channel's part of the shared project is, and why; empty where the project is not divided. */
export function describeQuotaPart({ share }: QuotaState, words: Words): readonly Text[] {
  const { sharing } = share ?? {};
  if (sharing === undefined) return [];
  const { own, channels, ofPerson, fullFrom } = sharing;
  const format = new Intl.DateTimeFormat(words.tag, { dateStyle: "medium", timeZone: "UTC" });
  return compact([
    words.say("usage.part.own", { own, channels }),
    fullFrom !== undefined &&
      words.say("usage.part.new", { date: format.format(new Date(fullFrom)) }),
    ofPerson > 1 && words.say("usage.part.person", { count: ofPerson }),
  ]);
}
