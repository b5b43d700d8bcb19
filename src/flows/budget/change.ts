import { rankBudget, type Spendable, spendable } from "../../budget/index.ts";
import { InputError } from "../../errors.ts";
import type { Budgets, DailyBudget, GuildSettings, SettingsChange } from "../../store/index.ts";
import { requireOneOf } from "../one-of.ts";

export const limitedRanks = ["member", "moderator", "manager"] as const;
export type LimitedRank = (typeof limitedRanks)[number];

/** What `/connect budget` was given. */
export interface Asking extends Readonly<Partial<Record<Spendable, number | undefined>>> {
  readonly rank?: LimitedRank | undefined;
  readonly person?: string | undefined;
  readonly remove?: boolean | undefined;
  /** Percent. */
  readonly reserve?: number | undefined;
  readonly quota: Readonly<Partial<Record<"units" | "searches" | "uploads", number | undefined>>>;
}

/** So that the settings stay small. */
const mostPeople = 100;

/** What changes, undefined when nothing does. @throws InputError `conflicting_parameters`, `too_many_budgets` */
export function changeOf(settings: GuildSettings, asking: Asking): SettingsChange | undefined {
  const { rank, person, remove, reserve } = asking;
  requireOneOf({ rank, person });
  const amounts = given(asking);
  const [some] = Object.keys(amounts);
  if (some !== undefined && remove === true) requireOneOf({ remove, [some]: amounts });
  const hasTarget = rank !== undefined || person !== undefined;
  if (!hasTarget && (some !== undefined || remove === true)) throw targetMissing();
  const isBudget = some !== undefined || remove === true;
  const quota = chosen(asking.quota);
  const change: SettingsChange = {
    ...(isBudget && { budgets: budgetsWith(settings.budgets, asking, amounts) }),
    ...(reserve !== undefined && { reserve: reserve / 100 }),
    ...(quota !== undefined && { quota: { ...settings.quota, ...quota } }),
  };
  return Object.keys(change).length === 0 ? undefined : change;
}

function given(asking: Asking): DailyBudget {
  return Object.fromEntries(
    spendable.flatMap((kind) => (asking[kind] === undefined ? [] : [[kind, asking[kind]]])),
  );
}

function chosen(quota: Asking["quota"]): NonNullable<GuildSettings["quota"]> | undefined {
  const entries = Object.entries(quota).filter(([, amount]) => amount !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function budgetsWith(
  before: Budgets | undefined,
  { rank, person, remove }: Asking,
  amounts: DailyBudget,
): Budgets {
  // Only the one that changes: the others stay as they are stored by then.
  const after = (budget: DailyBudget | undefined) =>
    remove === true ? {} : { ...budget, ...amounts };
  if (rank !== undefined) {
    return {
      ranks: { [rank]: after(before?.ranks?.[rank]) },
      // The usual budget goes with it, and does not come back when another is chosen.
      ...(remove === true && { unlimited: { [rank]: true } }),
    };
  }
  if (person === undefined) return {};
  const others = Object.keys(before?.people ?? {}).filter((id) => id !== person);
  if (others.length >= mostPeople) throw tooMany();
  return { people: { [person]: after(before?.people?.[person]) } };
}

/** Whether a budget of that target is there. */
export function hasBudget(settings: GuildSettings, { rank, person }: Asking): boolean {
  if (rank !== undefined) return Object.keys(rankBudget(rank, settings).budget).length > 0;
  return person !== undefined && settings.budgets?.people?.[person] !== undefined;
}

function targetMissing(): InputError {
  return new InputError("a budget for nobody", {
    code: "budget_target_missing",
    hint: "Give a rank or a person, and the amounts.",
  });
}

function tooMany(): InputError {
  return new InputError(`more than ${mostPeople} people with budgets`, {
    code: "too_many_budgets",
    hint: `Up to ${mostPeople} people can have budgets of their own. Remove one first.`,
    facts: { most: mostPeople },
  });
}
