import type { DailyBudget, GuildSettings } from "../../store/index.ts";
import type { Budget, Purse, Spendable } from "../declare/clients.ts";
import type { Rank } from "../rank.ts";

/** What can be spent a day. */
export const spendable = [
  "units",
  "searches",
  "uploads",
  "credits",
] as const satisfies readonly Spendable[];

type LimitedRank = Exclude<Rank, "owner">;

/**
 * What each person of a rank may spend a day where the owners chose nothing: a tenth of a project's searches for a
 * member, and below the owners nobody can use up more than half of a day alone.
 */
const usual: Readonly<Record<LimitedRank, DailyBudget>> = {
  member: { units: 200, searches: 10 },
  moderator: { units: 2_500, searches: 25 },
  manager: { units: 5_000, searches: 50, uploads: 50 },
};

/** What holds for each person of a rank; `isUsual` where the owners chose none of it. */
export function rankBudget(
  rank: LimitedRank,
  { budgets }: GuildSettings,
): { readonly budget: DailyBudget; readonly isUsual: boolean } {
  const chosen = budgets?.ranks?.[rank];
  if (budgets?.unlimited?.[rank]) return { budget: chosen ?? {}, isUsual: false };
  return { budget: { ...usual[rank], ...chosen }, isUsual: chosen === undefined };
}

interface Person {
  readonly userId: string;
  readonly rank: Rank;
  readonly settings: GuildSettings;
}

/** What holds for what this person spends; undefined for an owner where nothing was chosen. */
export function purseOf({ userId, rank, settings }: Person): Purse | undefined {
  const { quota, reserve } = settings;
  const budgets = budgetsOf({ userId, rank, settings });
  if (budgets === undefined && quota === undefined && reserve === undefined) return undefined;
  return { budgets, quota, reserve };
}

/** By kind: the person's own budget, else that of their rank. Owners are not limited. */
export function budgetsOf({ userId, rank, settings }: Person): Purse["budgets"] {
  const { people } = settings.budgets ?? {};
  if (rank === "owner") return undefined;
  const own = people !== undefined && Object.hasOwn(people, userId) ? people[userId] : undefined;
  const shared = rankBudget(rank, settings).budget;
  const budgets: Partial<Record<Spendable, Budget>> = {};
  for (const kind of spendable) {
    const [ofPerson, ofRank] = [own?.[kind], shared[kind]];
    if (ofPerson !== undefined) budgets[kind] = { amount: ofPerson, of: "person" };
    else if (ofRank !== undefined) budgets[kind] = { amount: ofRank, of: "rank", rank };
  }
  return budgets;
}
