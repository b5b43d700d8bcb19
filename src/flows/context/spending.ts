import {
  type BilledTo,
  type QuotaBucket,
  type QuotaState,
  spendingLimitsOf,
  sumByBucket,
  type VideoCharge,
} from "../../budget/index.ts";
import { join, type MessageReply, type Rank, type Words } from "../../discord/index.ts";
import type { GuildSettings } from "../../store/index.ts";
import { type Method, type MethodSpec, methods } from "../../video/index.ts";
import type { CallCost, PlannedCall, ServiceClients, UnitsSpent, VideoAccess } from "./clients.ts";
import type { OpenedCredentials } from "./credentials.ts";
import type { Ctx } from "./ctx.ts";
import type { Demands } from "./demands.ts";

/** Moderating comments, and reading them for it, may use a part of the day's quota that is reserved for it. */
const moderationMethod: Method = "comments.setModerationStatus";

interface BilledToOptions {
  readonly guildId: string;
  readonly userId: string;
  readonly rank: Rank;
  readonly settings: GuildSettings;
  /** Path of a command, title of a menu, or name of an action. */
  readonly command: string;
  readonly method?: Method | undefined;
  readonly uses?: readonly Method[] | undefined;
  /** For calls that nobody asked for, such as those of suggestions. */
  readonly isSpare?: true;
}

/** On whose behalf an interaction's calls are counted, and what limits them. */
export function billedToOf(billing: BilledToOptions): BilledTo {
  const { guildId, userId, command, method, uses = [], isSpare } = billing;
  const isModerating = method === moderationMethod || uses.includes(moderationMethod);
  const limits = spendingLimitsOf(billing);
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
  const isOwn = channel !== undefined && takesChannel(method);
  return isOwn ? { channelOf: billedTo.guildId, channelId: channel.channelId } : access();
}

/** `ctx.price` of one interaction: says what is left for the most expensive of the calls. */
export function createPrice(payment: Payment<"left">, words: Words): Ctx["price"] {
  const { clients, billedTo } = payment;
  return async (...calls) => {
    const sums = sumByBucket(calls.map(chargeOf));
    const [costliest] = [...calls].sort((a, b) => chargeOf(b).cost - chargeOf(a).cost);
    if (costliest === undefined) throw new TypeError("a price of nothing");
    const left = await clients.left(accessFor(costliest[0], payment), billedTo);
    const paid = videoBuckets.filter((bucket) => sums[bucket] > 0);
    return paid
      .map((bucket) => priceLine({ bucket, cost: sums[bucket] }, left[bucket], words))
      .join(" ");
  };
}

/** `ctx.afford` of one interaction. */
export function createAfford(payment: Payment<"afford" | "affordCredits">): Ctx["afford"] {
  const { clients, billedTo } = payment;
  return async (calls, credits = 0) => {
    const charges = calls.map(chargeOf).filter(({ cost }) => cost > 0);
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

function chargeOf([method, times = 1]: PlannedCall): PlannedCharge {
  const { bucket, cost } = methods[method];
  return { method, bucket, cost: cost * times };
}

function takesChannel(method: Method): boolean {
  const { auth, effect }: MethodSpec = methods[method];
  return auth === "token" || effect !== "read";
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

export const videoBuckets = [
  "units",
  "searches",
  "uploads",
] as const satisfies readonly QuotaBucket[];

type Spent = Readonly<Partial<Record<QuotaBucket, number>>>;

/** What one interaction has spent so far, by credential: a key and a channel have budgets of their own. */
export interface Tally {
  add(access: VideoAccess, cost: CallCost): void;
  readonly spent: readonly { readonly access: VideoAccess; readonly spent: Spent }[];
}

export function createTally(): Tally {
  const all: { access: VideoAccess; spent: Partial<Record<QuotaBucket, number>> }[] = [];
  return {
    add: (access, { bucket, cost }) => {
      let entry = all.find((each) => isSame(each.access, access));
      if (entry === undefined) {
        entry = { access, spent: {} };
        all.push(entry);
      }
      entry.spent[bucket] = (entry.spent[bucket] ?? 0) + cost;
    },
    spent: all,
  };
}

/** Whether nothing was charged. */
export function isFree({ spent: all }: Tally): boolean {
  return all.every(({ spent }) => Object.values(spent).every((cost) => cost === 0));
}

function isSame(one: VideoAccess, other: VideoAccess): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** What was spent from one bucket, and what is left in it. */
export interface SpentLine {
  /** `50 units` */
  readonly cost: string;
  /** `9,350 units left today` */
  readonly left: string;
}

const scarcest = ["searches", "uploads", "units"] as const satisfies readonly QuotaBucket[];

type LeftOf = (access: VideoAccess) => Promise<Readonly<Record<QuotaBucket, QuotaState>>>;

/** Two budgets' buckets of one kind count as one, with what is left in the emptier one, or for the person if that is less. */
export async function spentLines(
  { spent: all }: Tally,
  { leftOf, words }: { readonly leftOf: LeftOf; readonly words: Words },
): Promise<readonly SpentLine[]> {
  const budgets = await Promise.all(
    all.map(async ({ access, spent }) => ({ spent, left: await leftOf(access) })),
  );
  const paid = videoBuckets.filter((bucket) => budgets.some(({ spent }) => spent[bucket]));
  // Where everything came from the cache, one line says so, of the bucket that is emptied first.
  const [free] = scarcest.filter((bucket) => budgets.some(({ spent }) => bucket in spent));
  return (paid.length > 0 || free === undefined ? paid : [free]).flatMap((bucket) => {
    const touched = budgets.filter(({ spent }) => bucket in spent);
    if (touched.length === 0) return [];
    const count = touched.reduce((sum, { spent }) => sum + (spent[bucket] ?? 0), 0);
    const [emptiest] = touched.map(({ left }) => left[bucket]).sort((a, b) => least(a) - least(b));
    const cost = words.say("common.cost", { bucket, count });
    return [{ cost, left: leftText(bucket, emptiest, words) }];
  });
}

function least({ bound, left }: QuotaState): number {
  return bound?.left ?? left;
}

function leftText(bucket: QuotaBucket, of: QuotaState | undefined, words: Words): string {
  const left = of?.bound?.left ?? of?.left ?? 0;
  const amount = words.say("common.cost", { bucket, count: left });
  if (of?.bound === undefined) return words.say("common.left", { amount });
  return words.say("common.left_of", { of: of.bound.of, amount });
}

/** `1 search · 99 searches left today · 2 units · 9,350 units left today` */
export function spentText(lines: readonly SpentLine[]): string {
  return lines.flatMap(({ cost, left }) => [cost, left]).join(" · ");
}

/** The same reply with that in its footer; a question has already said what is left. */
export function withSpent(reply: MessageReply, lines: readonly SpentLine[]): MessageReply {
  if (lines.length === 0) return reply;
  const isAsk = reply.kind === "ask";
  return withFoot(reply, isAsk ? lines.map(({ cost }) => cost).join(" · ") : spentText(lines));
}

/** The same reply with the acting channel in its footer, for a channel that is not the default one. */
export function withActing(reply: MessageReply, channel: string, words: Words): MessageReply {
  return withFoot(reply, words.say("common.acting", { channel }));
}

function withFoot(reply: MessageReply, line: string): MessageReply {
  if (reply.footer === undefined) return { ...reply, footer: line };
  if (reply.kind === "list") return { ...reply, footer: join([reply.footer, line], " · ") };
  return { ...reply, footer: `${reply.footer} · ${line}` };
}

/** `This costs 50 units; 9,350 are left today.` */
function priceLine(cost: CallCost, left: QuotaState, words: Words): string {
  const { bucket, cost: count } = cost;
  if (left.bound !== undefined) {
    const { of, limit, left: ofIt } = left.bound;
    return words.say("common.price_of", { bucket, count, of, limit, left: ofIt });
  }
  return words.say("common.price", { bucket, count, left: left.left });
}

interface SpentQuery {
  readonly guildId: string;
  readonly opened: OpenedCredentials;
  readonly days: number;
}

/** `ctx.unitsSpent`: what a guild spent, each line with the connection that its project belongs to today. */
export async function unitsSpentBy(
  { guildId, opened, days }: SpentQuery,
  clients: Pick<ServiceClients, "projectOf" | "unitsSpent">,
): Promise<readonly UnitsSpent[]> {
  const key = opened["video-key"]?.secret;
  const ofKey = key === undefined ? undefined : clients.projectOf({ key });
  const ofChannels = clients.projectOf({ channelOf: guildId });
  const kindOf = (project: string) => {
    if (project === ofKey) return "video-key";
    return project === ofChannels ? "channel" : "former";
  };
  const all = await clients.unitsSpent(guildId, days);
  return all.map((spent) => ({ ...spent, kind: kindOf(spent.project) }));
}
