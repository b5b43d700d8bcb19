import {
  type BilledTo,
  type BucketSums,
  findSpendingLimits,
  type QuotaBucket,
  type QuotaState,
  sumByBucket,
  type VideoCharge,
} from "../../budget/index.ts";
import type { Rank, Words } from "../../discord/index.ts";
import type { ServerSettings } from "../../store/index.ts";
import { type Method, type MethodSpec, methods } from "../../video/index.ts";
import type { CallCost, PlannedCall, ServiceClients, VideoAccess } from "./clients.ts";
import type { OpenedCredentials } from "./credentials.ts";
import type { Ctx } from "./ctx.ts";
import type { Demands } from "./demands.ts";

/** Moderating comments, and reading them for it, may use a part of the day's quota that is reserved for it. */
const moderationMethod: Method = "comments.setModerationStatus";

interface BilledToOptions {
  readonly guildId: string;
  readonly userId: string;
  readonly rank: Rank;
  readonly settings: ServerSettings;
  /** Path of a command, title of a menu, or name of an action. */
  readonly command: string;
  readonly method?: Method | undefined;
  readonly uses?: readonly Method[] | undefined;
  /** For calls that nobody asked for, such as those of suggestions. */
  readonly isSpare?: true;
}

/** On whose behalf an interaction's calls are counted, and what limits them. */
export function billedToFor(billing: BilledToOptions): BilledTo {
  const { guildId, userId, command, method, uses = [], isSpare } = billing;
  const isModerating = method === moderationMethod || uses.includes(moderationMethod);
  const limits = findSpendingLimits(billing);
  return {
    guildId,
    userId,
    command,
    ...(isModerating && { purpose: "moderation" as const }),
    ...(limits !== undefined && { limits }),
    ...(isSpare && { isSpare }),
  };
}

interface Payment<Used extends keyof ServiceClients> {
  readonly clients: Pick<ServiceClients, Used>;
  readonly opened: OpenedCredentials;
  readonly billedTo: BilledTo;
  /** The credential of the handler's reads. */
  readonly access: () => VideoAccess;
}

/** The credential of a call. */
function accessFor(method: Method, { opened, billedTo, access }: Payment<never>): VideoAccess {
  const { channel } = opened;
  const { auth, effect }: MethodSpec = methods[method];
  const isOwn = channel !== undefined && (auth === "token" || effect !== "read");
  return isOwn ? { channelOf: billedTo.guildId, channelId: channel.channelId } : access();
}

/**
 * `ctx.price` of one interaction: the sum of the calls, and with what was read to ask the question; what is left for the
 * most expensive of them.
 */
export function createPrice(payment: Payment<"left">, tally: Tally, words: Words): Ctx["price"] {
  const { clients, billedTo } = payment;
  return async (...calls) => {
    const charges = calls.map(chargeFor);
    const planned = sumByBucket(charges);
    const [costliest] = charges.toSorted((a, b) => b.cost - a.cost);
    if (costliest === undefined) throw new TypeError("a price of nothing");
    const spent = tally.sums();
    const spentBefore = scarcest.map((bucket) => ({ bucket, cost: spent[bucket] }));
    tally.isPriced = true;
    const access = accessFor(costliest.method, payment);
    const left = await clients.left(access, billedTo);
    const paid = scarcest.filter((bucket) => planned[bucket] > 0);
    return words.say("common.price", {
      cost: formatCosts(planned, words),
      isAsked: !isFree(tally),
      total: formatCosts(sumByBucket([...charges, ...spentBefore]), words),
      left: formatLeft(
        paid.map((bucket) => ({ bucket, access, state: left[bucket] })),
        words,
      ),
    });
  };
}

/** `ctx.afford` of one interaction. */
export function createAfford(payment: Payment<"afford" | "affordCredits">): Ctx["afford"] {
  const { clients, billedTo } = payment;
  return async (calls, credits = 0) => {
    const charges = calls.map(chargeFor).filter(({ cost }) => cost > 0);
    const personal = sumByBucket(charges);
    const byAccess = Map.groupBy(charges, ({ method }) =>
      JSON.stringify(accessFor(method, payment)),
    );
    for (const some of byAccess.values()) {
      const [first] = some;
      if (first === undefined) continue;
      await clients.afford(accessFor(first.method, payment), billedTo, { charges: some, personal });
    }
    if (credits > 0) await clients.affordCredits(billedTo, credits);
  };
}

type PlannedCharge = VideoCharge & { readonly method: Method };

function chargeFor([method, times = 1]: PlannedCall): PlannedCharge {
  const { bucket, cost } = methods[method];
  return { method, bucket, cost: cost * times };
}

/**
 * The calls that the budgets must allow before a handler runs: that of its own method. A list whose page is turned may be
 * cached and cost nothing, and a read of one unit is refused when it is counted. Decisions about comments are kept where they
 * can't be paid.
 */
export function callsToAfford({ method }: Demands, isPress: boolean): readonly PlannedCall[] {
  if (method === undefined || method === moderationMethod) return [];
  const { bucket, cost, effect, media }: MethodSpec = methods[method];
  if (effect !== "read" || media?.direction === "down") return [[method]];
  const isExpensive = bucket !== "units" || cost > 1;
  return isExpensive && !isPress ? [[method]] : [];
}

/** In the order in which people run out of them. */
const scarcest = ["searches", "uploads", "units"] as const satisfies readonly QuotaBucket[];

type Spent = Readonly<Partial<Record<QuotaBucket, number>>>;

/** What one interaction has spent so far, by credential: a key and a channel have budgets of their own. */
export interface Tally {
  add(access: VideoAccess, cost: CallCost): void;
  readonly spent: readonly { readonly access: VideoAccess; readonly spent: Spent }[];
  /** What all credentials together have spent. */
  sums(): BucketSums;
  /** Whether a question of this interaction names what was spent so far; false once more is spent. */
  isPriced: boolean;
}

export function createTally(): Tally {
  const all: { access: VideoAccess; spent: Partial<Record<QuotaBucket, number>> }[] = [];
  const tally: Tally = {
    isPriced: false,
    // Passed on by itself, so it has no `this`.
    add: (access, { bucket, cost }) => {
      let entry = all.find((each) => JSON.stringify(each.access) === JSON.stringify(access));
      if (entry === undefined) {
        entry = { access, spent: {} };
        all.push(entry);
      }
      entry.spent[bucket] = (entry.spent[bucket] ?? 0) + cost;
      if (cost > 0) tally.isPriced = false;
    },
    spent: all,
    sums: () =>
      sumByBucket(
        all.flatMap(({ spent }) =>
          scarcest.map((bucket) => ({ bucket, cost: spent[bucket] ?? 0 })),
        ),
      ),
  };
  return tally;
}

/** Whether nothing was charged. */
export function isFree(tally: Tally): boolean {
  return Object.values(tally.sums()).every((cost) => cost === 0);
}

/** `1 search and 2 units`; empty if nothing was spent. */
function formatCosts(sums: BucketSums, words: Words): string {
  const paid = scarcest.filter((bucket) => sums[bucket] > 0);
  return words.list(
    paid.map((bucket) => words.say("common.cost", { bucket, count: sums[bucket] })),
  );
}

type LeftOf = (access: VideoAccess) => Promise<Readonly<Record<QuotaBucket, QuotaState>>>;

/**
 * `1 search and 2 units · 98 searches and 9,350 units left today (this server’s key)`: two budgets' buckets of one kind
 * count as one, with what is left in the emptier one, or for the person if that is less. Undefined if nothing was called.
 */
export async function describeSpent(
  tally: Tally,
  { leftOf, words }: { readonly leftOf: LeftOf; readonly words: Words },
): Promise<string | undefined> {
  const budgets = await Promise.all(
    tally.spent.map(async ({ access, spent }) => ({ access, spent, left: await leftOf(access) })),
  );
  const sums = tally.sums();
  const paid = scarcest.filter((bucket) => sums[bucket] > 0);
  // Where everything came from the cache, the bucket counts that is emptied first.
  const free = scarcest.filter((bucket) => budgets.some(({ spent }) => bucket in spent));
  const shown = paid.length > 0 ? paid : free.slice(0, 1);
  const [first] = shown;
  if (first === undefined) return undefined;
  const left = shown.flatMap((bucket) => {
    const touched = budgets.filter(({ spent }) =>
      sums[bucket] > 0 ? (spent[bucket] ?? 0) > 0 : bucket in spent,
    );
    const all = touched.map(({ access, left }) => ({ bucket, access, state: left[bucket] }));
    return all.sort((a, b) => least(a.state) - least(b.state)).slice(0, 1);
  });
  const cost = formatCosts(sums, words) || words.say("common.cost", { bucket: first, count: 0 });
  return `${cost} · ${formatLeft(left, words)}`;
}

function least({ bound, left }: QuotaState): number {
  return bound?.left ?? left;
}

interface LeftInBucket {
  readonly bucket: QuotaBucket;
  readonly access: VideoAccess;
  readonly state: QuotaState;
}

/** `98 searches and 9,350 units left today (this server’s key)`, once for each pool and whose part of it that is. */
function formatLeft(all: readonly LeftInBucket[], words: Words): string {
  const poolOf = ({ access }: LeftInBucket) => ("key" in access ? "key" : "channel");
  const groups = Map.groupBy(all, (one) => `${poolOf(one)} ${one.state.bound?.of}`);
  const texts = [...groups.values()].flatMap((some) => {
    const [first] = some;
    if (first === undefined) return [];
    const amount = words.list(
      some.map(({ bucket, state }) => words.say("common.cost", { bucket, count: least(state) })),
    );
    const pool = poolOf(first);
    const of = first.state.bound?.of;
    if (of === undefined) return [words.say("common.left", { amount, pool })];
    return [words.say("common.left_of", { of, amount, pool })];
  });
  return texts.join(" · ");
}
