import { type BilledTo, sumOf, type VideoCharge } from "../../budget/index.ts";
import { type Method, type MethodSpec, methods } from "../../video/index.ts";
import type { Clients, Planned, VideoAccess } from "../declare/clients.ts";
import type { Ctx } from "../declare/ctx.ts";
import type { Demands } from "../declare/demands.ts";
import type { Words } from "../draw/words.ts";
import type { Opened } from "./guard.ts";
import { buckets, priceLine } from "./spending.ts";

interface Traveller {
  readonly opened: Opened;
  readonly billedTo: BilledTo;
  /** What the handler's reads travel with. */
  readonly access: () => VideoAccess;
}

export interface AffordParts extends Traveller {
  readonly services: { readonly clients: Pick<Clients, "afford" | "affordCredits"> };
}

export interface PriceParts extends Traveller {
  readonly services: { readonly clients: Pick<Clients, "left"> };
  readonly words: Words;
}

/** What a call travels with. */
function accessFor(method: Method, { opened, billedTo, access }: Traveller): VideoAccess {
  const { channel } = opened;
  const isOwn = channel !== undefined && takesChannel(method);
  return isOwn ? { channelOf: billedTo.guildId, channelId: channel.channelId } : access();
}

/** `ctx.price` of one interaction: of what is dearest is told what is left. */
export function priced(parts: PriceParts): Ctx["price"] {
  const { services, billedTo, words } = parts;
  return async (...calls) => {
    const sums = sumOf(calls.map(chargeOf));
    const [dearest] = [...calls].sort((a, b) => chargeOf(b).cost - chargeOf(a).cost);
    if (dearest === undefined) throw new TypeError("a price of nothing");
    const left = await services.clients.left(accessFor(dearest[0], parts), billedTo);
    const paid = buckets.filter((bucket) => sums[bucket] > 0);
    return paid
      .map((bucket) => priceLine({ bucket, cost: sums[bucket] }, left[bucket], words))
      .join(" ");
  };
}

/** `ctx.afford` of one interaction. */
export function affordable(parts: AffordParts): Ctx["afford"] {
  const { clients } = parts.services;
  const { billedTo } = parts;
  return async (calls, credits = 0) => {
    const charges = calls.map(chargeOf).filter(({ cost }) => cost > 0);
    const personal = sumOf(charges);
    const byAccess = Map.groupBy(charges, ({ method }) => JSON.stringify(accessFor(method, parts)));
    for (const some of byAccess.values()) {
      const [first] = some;
      if (first === undefined) continue;
      await clients.afford(accessFor(first.method, parts), billedTo, { charges: some, personal });
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
