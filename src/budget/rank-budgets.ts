import { quotaBuckets } from "./amounts.ts";
import type { Budget, QuotaAmounts, SpendingKind, SpendingLimits } from "./types.ts";

/** What can be spent a day. */
export const spendingKinds = [
  ...quotaBuckets,
  "credits",
] as const satisfies readonly SpendingKind[];

type DailyAmounts = Readonly<Partial<Record<SpendingKind, number>>>;

/** Owners are not limited. */
export type LimitedRank = "member" | "moderator" | "manager";

/** What the owners of a server chose for what is spent there. */
interface ChosenLimits {
  readonly budgets?:
    | {
        /** For each person of the rank. */
        readonly ranks?: Readonly<Partial<Record<LimitedRank, DailyAmounts>>>;
        readonly people?: Readonly<Record<string, DailyAmounts>>;
        readonly unlimited?: Readonly<Partial<Record<LimitedRank, true>>>;
      }
    | undefined;
  readonly quota?: QuotaAmounts | undefined;
  readonly reserve?: number | undefined;
}

/**
 * What each person of a rank may spend a day unless the owners chose otherwise: a member a tenth of a project's
 * searches, and nobody below the owners more than half of the daily quota. A credit is money: the smallest subscription
 * has 40 a month (https://www.remove.bg/pricing).
 */
const usualBudgets = {
  member: { units: 200, searches: 10, credits: 3 },
  moderator: { units: 2_500, searches: 25, credits: 10 },
  manager: { units: 5_000, searches: 50, uploads: 50, credits: 25 },
} as const satisfies Readonly<Record<LimitedRank, DailyAmounts>>;

export const limitedRanks = [
  "member",
  "moderator",
  "manager",
] as const satisfies readonly LimitedRank[];

/** The budget of each person of a rank; `isUsual` where the owners chose nothing. */
export function rankBudget(
  rank: LimitedRank,
  { budgets }: Pick<ChosenLimits, "budgets">,
): { readonly budget: DailyAmounts; readonly isUsual: boolean } {
  const chosen = budgets?.ranks?.[rank];
  if (budgets?.unlimited?.[rank]) return { budget: chosen ?? {}, isUsual: false };
  return { budget: { ...usualBudgets[rank], ...chosen }, isUsual: chosen === undefined };
}

interface LimitedPerson {
  readonly userId: string;
  readonly rank: LimitedRank | "owner";
  readonly settings: ChosenLimits;
}

/** The limits of what this person spends; undefined for an owner where nothing was chosen. */
export function findSpendingLimits(person: LimitedPerson): SpendingLimits | undefined {
  const { quota, reserve } = person.settings;
  const budgets = findBudgets(person);
  if (budgets === undefined && quota === undefined && reserve === undefined) return undefined;
  return { budgets, quota, reserve };
}

/** For each kind of spending: the person's own budget, or else that of their rank. */
export function findBudgets({ userId, rank, settings }: LimitedPerson): SpendingLimits["budgets"] {
  const { people } = settings.budgets ?? {};
  if (rank === "owner") return undefined;
  const own = people !== undefined && Object.hasOwn(people, userId) ? people[userId] : undefined;
  const shared = rankBudget(rank, settings).budget;
  const budgets: Partial<Record<SpendingKind, Budget>> = {};
  for (const kind of spendingKinds) {
    const [ofPerson, ofRank] = [own?.[kind], shared[kind]];
    if (ofPerson !== undefined) budgets[kind] = { amount: ofPerson, of: "person" };
    else if (ofRank !== undefined) budgets[kind] = { amount: ofRank, of: "rank", rank };
  }
  return budgets;
}
