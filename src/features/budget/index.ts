import {
  defaultLimits,
  defaultReserve,
  limitedRanks,
  rankBudget,
  spendingKinds,
} from "../../budget/index.ts";
import {
  type CardField,
  card,
  join,
  mention,
  notice,
  type OptionsOf,
  type Reply,
  type Text,
  type Words,
} from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { Budgets, DailyBudget, ServerSettings, SettingsChange } from "../../store/index.ts";
import type { Ctx, CtxFor } from "../context/index.ts";
import { option } from "../declarations/index.ts";
import { givenFields, requireOneOf } from "../options/index.ts";

/** As many lines as fit into a field. */
const maxShownPeople = 15;

/** The card with all budgets of the server. */
function overview({ words }: Pick<Ctx, "words">, title: string, settings: ServerSettings): Reply {
  const rankLines = limitedRanks.map((rank) => {
    const { budget, isUsual } = rankBudget(rank, settings);
    return words.md(isUsual ? "budget.usual_line" : "budget.line", {
      who: words.say(`choices.rank.${rank}`),
      amounts: formatAmounts(budget, words),
    });
  });
  return card({
    title,
    text: join(
      [
        words.say("budget.intro"),
        words.md("budget.how", { command: words.mention("connect budget") }),
      ],
      "\n\n",
    ),
    fields: [
      { name: words.say("budget.ranks"), value: join(rankLines) },
      { name: words.say("budget.people"), value: join(personLines(settings, words)) },
      reserveField(settings, words),
      {
        name: words.say("budget.quota.name"),
        value: formatAmounts({ ...defaultLimits, ...settings.quota }, words),
      },
    ],
    footer: words.say("budget.footer"),
  });
}

function personLines({ budgets }: ServerSettings, words: Words): readonly Text[] {
  const people = Object.entries(budgets?.people ?? {});
  if (people.length === 0) return [words.say("budget.nobody")];
  const lines = people
    .slice(0, maxShownPeople)
    .map(([id, budget]) =>
      words.md("budget.line", { who: mention(id), amounts: formatAmounts(budget, words) }),
    );
  const rest = people.length - lines.length;
  return rest === 0 ? lines : [...lines, words.say("budget.others", { count: rest })];
}

function formatAmounts(budget: DailyBudget | undefined, words: Words): string {
  const parts = spendingKinds.flatMap((bucket) => {
    const count = budget?.[bucket];
    return count === undefined ? [] : [words.say("usage.amount", { bucket, count })];
  });
  return parts.length === 0 ? words.say("budget.unlimited") : words.list(parts);
}

function reserveField({ reserve }: ServerSettings, words: Words): CardField {
  const percent = words.percent(reserve ?? defaultReserve);
  const text = words.say(reserve === undefined ? "budget.reserve.usual" : "budget.reserve.own", {
    percent,
  });
  const isLower = reserve !== undefined && reserve < defaultReserve;
  const shared = words.say("budget.reserve.shared", { percent: words.percent(defaultReserve) });
  return { name: words.say("budget.reserve.name"), value: isLower ? join([text, shared]) : text };
}

const budgetOptions = {
  rank: option.choice({ group: "rank", values: limitedRanks }),
  person: option.person({}),
  units: option.integer({ min: 0, max: 100_000_000 }),
  searches: option.integer({ min: 0, max: 1_000_000 }),
  uploads: option.integer({ min: 0, max: 1_000_000 }),
  credits: option.number({ min: 0, max: 1_000_000 }),
  remove: option.flag({}),
  /** Percent. */
  reserve: option.integer({ min: 0, max: 90 }),
  "daily-units": option.integer({ min: 1, max: 100_000_000 }),
  "daily-searches": option.integer({ min: 1, max: 1_000_000 }),
  "daily-uploads": option.integer({ min: 1, max: 1_000_000 }),
};

type BudgetOptions = OptionsOf<typeof budgetOptions>;

/** Keeps the stored settings small. */
const maxPeople = 100;

/**
 * The change that the options ask for; undefined if they ask for none.
 * @throws InputError `conflicting_parameters`, `budget_target_missing`; the change throws `too_many_budgets`
 */
function readChange(options: BudgetOptions): SettingsChange | undefined {
  const { rank, person, remove, reserve, units, searches, uploads, credits } = options;
  requireOneOf({ rank, person });
  const amounts: DailyBudget = givenFields({ units, searches, uploads, credits }) ?? {};
  const [some] = Object.keys(amounts);
  if (some !== undefined && remove === true) requireOneOf({ remove, [some]: amounts });
  const hasTarget = rank !== undefined || person !== undefined;
  if (!hasTarget && (some !== undefined || remove === true)) {
    throw new InputError("a budget for nobody", { code: "budget_target_missing" });
  }
  const isBudget = some !== undefined || remove === true;
  const quota = givenFields({
    units: options["daily-units"],
    searches: options["daily-searches"],
    uploads: options["daily-uploads"],
  });
  if (!isBudget && reserve === undefined && quota === undefined) return undefined;
  return (stored) => ({
    ...stored,
    ...(isBudget && { budgets: budgetsWith(stored.budgets, options, amounts) }),
    ...(reserve !== undefined && { reserve: reserve / 100 }),
    ...(quota !== undefined && { quota: { ...stored.quota, ...quota } }),
  });
}

function budgetsWith(
  stored: Budgets | undefined,
  { rank, person, remove }: BudgetOptions,
  amounts: DailyBudget,
): Budgets {
  const after = (budget: DailyBudget | undefined) =>
    remove === true ? {} : { ...budget, ...amounts };
  if (rank !== undefined) {
    return {
      ...stored,
      ranks: { ...stored?.ranks, [rank]: after(stored?.ranks?.[rank]) },
      // This also switches off the rank's default budget, which stays off when other budgets are set.
      ...(remove === true && { unlimited: { ...stored?.unlimited, [rank]: true } }),
    };
  }
  if (person === undefined) return stored ?? {};
  const others = Object.keys(stored?.people ?? {}).filter((id) => id !== person);
  if (others.length >= maxPeople) {
    throw new InputError(`more than ${maxPeople} people with budgets`, {
      code: "too_many_budgets",
      facts: { most: maxPeople },
    });
  }
  return { ...stored, people: { ...stored?.people, [person]: after(stored?.people?.[person]) } };
}

/** Whether that rank or person has a budget. */
function hasBudget(settings: ServerSettings, { rank, person }: BudgetOptions): boolean {
  if (rank !== undefined) return Object.keys(rankBudget(rank, settings).budget).length > 0;
  return person !== undefined && settings.budgets?.people?.[person] !== undefined;
}

/**
 * Changes what the options ask for, then shows all budgets.
 * @throws InputError `conflicting_parameters`, `budget_target_missing`, `too_many_budgets`
 */
async function change(ctx: CtxFor<typeof budgetOptions>): Promise<Reply> {
  const { options, settings, words } = ctx;
  const wanted = readChange(options);
  if (wanted === undefined) return overview(ctx, words.say("budget.title"), settings);
  let isThere = true;
  const saved = await ctx.changeSettings((stored) => {
    isThere = options.remove !== true || hasBudget(stored, options);
    return isThere ? wanted(stored) : stored;
  });
  if (!isThere) return notice({ tone: "neutral", title: words.say("budget.no_budget") });
  const title = words.say(options.remove === true ? "budget.removed" : "budget.saved");
  return overview(ctx, title, saved);
}

export const budget = { options: budgetOptions, change } as const;
