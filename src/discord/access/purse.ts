import type { GuildSettings } from "../../store/index.ts";
import type { Budget, Purse, Spendable } from "../declare/clients.ts";
import type { Rank } from "../rank.ts";

/** What can be spent a day. */
export const spendable = [
  "units",
  "searches",
  "uploads",
  "credits",
] as const satisfies readonly Spendable[];

interface Person {
  readonly userId: string;
  readonly rank: Rank;
  readonly settings: GuildSettings;
}

/** What the guild's owners chose for what this person spends; undefined when they chose nothing. */
export function purseOf({ userId, rank, settings }: Person): Purse | undefined {
  const { budgets, quota, reserve } = settings;
  if (budgets === undefined && quota === undefined && reserve === undefined) return undefined;
  return { budgets: budgetsOf({ userId, rank, settings }), quota, reserve };
}

/** By kind: the person's own budget, else that of their rank. Owners are not limited. */
export function budgetsOf({ userId, rank, settings }: Person): Purse["budgets"] {
  const { ranks, people } = settings.budgets ?? {};
  if (rank === "owner") return undefined;
  const own = people !== undefined && Object.hasOwn(people, userId) ? people[userId] : undefined;
  const shared = ranks?.[rank];
  if (own === undefined && shared === undefined) return undefined;
  const budgets: Partial<Record<Spendable, Budget>> = {};
  for (const kind of spendable) {
    const [ofPerson, ofRank] = [own?.[kind], shared?.[kind]];
    if (ofPerson !== undefined) budgets[kind] = { amount: ofPerson, of: "person" };
    else if (ofRank !== undefined) budgets[kind] = { amount: ofRank, of: "rank", rank };
  }
  return budgets;
}
