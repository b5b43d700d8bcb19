import { type BilledTo, sumOf, type VideoCharge } from "../../budget/index.ts";
import { type Method, type MethodSpec, methods } from "../../video/index.ts";
import type { Clients, Planned, VideoAccess } from "../declare/clients.ts";
import type { Ctx } from "../declare/ctx.ts";
import type { Demands } from "../declare/demands.ts";
import type { Words } from "../draw/words.ts";
import type { Opened } from "./guard.ts";
import { buckets, priceLine } from "./spending.ts";

interface Payment<Used extends keyof Clients> {
  readonly clients: Pick<Clients, Used>;
  readonly opened: Opened;
  readonly billedTo: BilledTo;
  /** What the handler's reads travel with. */
  readonly access: () => VideoAccess;
}

/** What a call travels with. */
function accessFor(method: Method, { opened, billedTo, access }: Payment<never>): VideoAccess {
  const { channel } = opened;
  const isOwn = channel !== undefined && takesChannel(method);
  return isOwn ? { channelOf: billedTo.guildId, channelId: channel.channelId } : access();
}

/** `ctx.price` of one interaction: says what is left for the dearest of the calls. */
export function priced(payment: Payment<"left">, words: Words): Ctx["price"] {
  const { clients, billedTo } = payment;
  return async (...calls) => {
    const sums = sumOf(calls.map(chargeOf));
    const [dearest] = [...calls].sort((a, b) => chargeOf(b).cost - chargeOf(a).cost);
    if (dearest === undefined) throw new TypeError("a price of nothing");
    const left = await clients.left(accessFor(dearest[0], payment), billedTo);
    const paid = buckets.filter((bucket) => sums[bucket] > 0);
    return paid
      .map((bucket) => priceLine({ bucket, cost: sums[bucket] }, left[bucket], words))
      .join(" ");
  };
}

/** `ctx.afford` of one interaction. */
export function affordable(payment: Payment<"afford" | "affordCredits">): Ctx["afford"] {
  const { clients, billedTo } = payment;
  return async (calls, credits = 0) => {
    const charges = calls.map(chargeOf).filter(({ cost }) => cost > 0);
    const personal = sumOf(charges);
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

function chargeOf([method, times = 1]: Planned): PlannedCharge {
  const { bucket, cost } = methods[method];
  return { method, bucket, cost: cost * times };
}

function takesChannel(method: Method): boolean {
  const { auth, effect }: MethodSpec = methods[method];
  return auth === "token" || effect !== "read";
}

/**
 * What is held against the budgets before a handler runs: its own row. Lists that a press leafs in may be remembered
 * and cost nothing, and a read of one unit is refused when it is booked.
 */
export function atStake({ row }: Demands, isPress: boolean): readonly Planned[] {
  if (row === undefined) return [];
  const { bucket, cost, effect, media }: MethodSpec = methods[row];
  if (effect !== "read" || media?.direction === "down") return [[row]];
  const isDear = bucket !== "units" || cost > 1;
  return isDear && !isPress ? [[row]] : [];
}
