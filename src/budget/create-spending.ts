import { createHmac } from "node:crypto";
import { createCache } from "../cache.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/index.ts";
import { type BucketSums, buckets, sumOf, toAmount } from "./amounts.ts";
import { type Bookings, createBookings, type OnSpent } from "./bookings.ts";
import { createCalendar } from "./calendar.ts";
import type { AccountHolder } from "./entry.ts";
import { createHistory } from "./history.ts";
import { defaultReserve, stateOf } from "./measure.ts";
import { refuseOver } from "./refuse.ts";
import type { BilledTo, Booking, Bucket, Charge, QuotaAmounts, QuotaState } from "./types.ts";

export interface SpendingOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** Of this bot alone: makes hashes of guilds' ids that nobody else can make. */
  readonly secret: Uint8Array;
  /** What a project may spend a day; the service's defaults when absent (facts, limits.quota). */
  readonly quota?: QuotaAmounts;
  /** Share of the units that is kept for moderation, from 0 to 1; `defaultReserve` when absent. */
  readonly reserve?: number;
  /** Told when the database can't be read or written; the count goes on in memory. */
  readonly onFailure?: (error: unknown) => void;
}

/** What every project of this bot has spent, and who spent it. One for the whole process. */
export type Spending = ReturnType<typeof createSpending>;

export type VideoCharge = Charge & { readonly bucket: Bucket };

const mostParts = 10_000;

export function createSpending(options: SpendingOptions) {
  const { database, clock, secret, quota = {}, reserve = defaultReserve } = options;
  const { onFailure = () => undefined } = options;
  const today = createCalendar(database.now);
  const bookings = createBookings({
    ...{ database, clock, today, onFailure },
    usual: { quota, reserve },
  });
  const history = createHistory(database, bookings.unsaved);
  const partOf = createPartNames(secret, () => today("units").name);
  return {
    /** What counts the calls that one spender makes with one project. */
    account(project: string, billedTo: BilledTo, onSpent?: OnSpent) {
      const holder = () => ({ project, billedTo, part: partOf(project, billedTo) });
      return createAccount(bookings, { billedTo, holder, onSpent });
    },
    /**
     * What one guild spent in the last `days` days, today included, newest first, of every project, whichever keys it has
     * now: it never sees another guild's spenders. At most 41 days. @throws ServiceError `store_unavailable`.
     */
    unitsSpent: history.units,
    /** The same of the image service. */
    creditsSpent: history.credits,
    /** Saves what is not saved yet. */
    close: bookings.unsaved.close,
  };
}

/** Names of guilds' parts: different each day, so that no two days of a guild can be told to be the same one's. */
function createPartNames(secret: Uint8Array, today: () => string) {
  const partCache = createCache<string>({ maxSize: mostParts });
  return (project: string, { guildId, limits }: BilledTo): string | undefined => {
    if (!limits?.isShared && limits?.guild === undefined) return undefined;
    const text = `part ${project} ${today()} ${guildId}`;
    const known = partCache.get(text);
    if (known !== undefined) return known;
    const part = createHmac("sha256", secret).update(text).digest("hex").slice(0, 32);
    partCache.set(text, part);
    return part;
  };
}

interface AccountDeps {
  readonly billedTo: BilledTo;
  readonly holder: () => AccountHolder;
  readonly onSpent: OnSpent | undefined;
}

function createAccount(bookings: Bookings, { billedTo, holder, onSpent }: AccountDeps) {
  const { purpose, isSpare } = billedTo;
  const wanted = { isModeration: purpose === "moderation", isSpare };
  return {
    book: (charge: Charge): Promise<Booking> => bookings.book(holder(), charge, onSpent),
    /** Today's buckets, with the tightest of what limits this spender alone. */
    async left(): Promise<Readonly<Record<Bucket, QuotaState>>> {
      const measure = await bookings.measure(holder(), buckets);
      const left = (bucket: Bucket) => stateOf(measure(bucket));
      return { units: left("units"), searches: left("searches"), uploads: left("uploads") };
    },
    /**
     * Whether all these calls could be paid for today; books nothing. `personal` is what the person would spend of all
     * projects together, where that is more.
     * @throws LimitError as `book` does.
     */
    async afford(charges: readonly VideoCharge[], personal?: BucketSums): Promise<void> {
      const measure = await bookings.measure(holder(), buckets);
      const sums = sumOf(charges);
      for (const bucket of buckets) {
        const method = charges.find((charge) => charge.bucket === bucket)?.method;
        if (method === undefined) continue;
        const mine = { amount: sums[bucket], ...(personal && { personal: personal[bucket] }) };
        refuseOver({ ...wanted, ...mine, method, bucket }, measure(bucket));
      }
    },
    /** The same of the image service. @throws LimitError `budget_person` or `budget_rank`. */
    async affordCredits(cost: number): Promise<void> {
      const measure = await bookings.measure(holder(), ["credits"]);
      const charge = { method: "removebg", bucket: "credits" } as const;
      const amount = toAmount("credits", cost);
      refuseOver({ ...wanted, ...charge, amount }, measure("credits"));
    },
  };
}
