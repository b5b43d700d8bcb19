import { createHmac } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/index.ts";
import { type BucketSums, sumOf, toAmount } from "./amounts.ts";
import { createBookings, type OnSpent } from "./bookings.ts";
import { createCalendar } from "./calendar.ts";
import type { AccountHolder } from "./entry.ts";
import { createHistory } from "./history.ts";
import { defaultReserve, stateOf } from "./measure.ts";
import { refuseOver } from "./refuse.ts";
import type {
  BilledTo,
  Bucket,
  Charge,
  CreditsSpent,
  QuotaAmounts,
  QuotaState,
  SpendingLine,
  SpendingMeter,
} from "./types.ts";

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
export interface Spending {
  /** What counts the calls that one spender makes with one project. */
  account(project: string, billedTo: BilledTo, onSpent?: OnSpent): SpendingAccount;
  /**
   * What one guild spent in the last `days` days, today included, newest first, of every project, whichever keys it has
   * now: it never sees another guild's spenders. At most 41 days. @throws ServiceError `store_unavailable`.
   */
  unitsSpent(guildId: string, days: number): Promise<readonly SpendingLine[]>;
  /** The same of the image service. */
  creditsSpent(guildId: string, days: number): Promise<readonly CreditsSpent[]>;
  /** Saves what is not saved yet. */
  close(): Promise<void>;
}

/** One spender's account of a project. */
export interface SpendingAccount extends SpendingMeter {
  /** Today's buckets, with the tightest of what limits this spender alone. */
  left(): Promise<Readonly<Record<Bucket, QuotaState>>>;
  /**
   * Whether all these calls could be paid for today; books nothing. `personal` is what the person would spend of all
   * projects together, where that is more.
   * @throws LimitError as `book` does.
   */
  afford(charges: readonly VideoCharge[], personal?: BucketSums): Promise<void>;
  /** The same of the image service. @throws LimitError `budget_person` or `budget_rank`. */
  affordCredits(cost: number): Promise<void>;
}

export type VideoCharge = Charge & { readonly bucket: Bucket };

const mostParts = 10_000;
const buckets = ["units", "searches", "uploads"] as const satisfies readonly Bucket[];

export function createSpending(options: SpendingOptions): Spending {
  const { database, clock, secret, quota = {}, reserve = defaultReserve } = options;
  const { onFailure = () => undefined } = options;
  const today = createCalendar(database.now);
  const bookings = createBookings({
    ...{ database, clock, today, onFailure },
    usual: { quota, reserve },
  });
  const history = createHistory(database, bookings.unsaved);

  const partCache = new LRUCache<string, string>({ max: mostParts });

  /** Different each day, so that no two days of a guild can be told to be the same one's. */
  function partOf(project: string, { guildId, limits }: BilledTo): string | undefined {
    if (!limits?.isShared && limits?.guild === undefined) return undefined;
    const text = `part ${project} ${today("units").name} ${guildId}`;
    const known = partCache.get(text);
    if (known !== undefined) return known;
    const part = createHmac("sha256", secret).update(text).digest("hex").slice(0, 32);
    partCache.set(text, part);
    return part;
  }

  function holderOf(project: string, billedTo: BilledTo): AccountHolder {
    return { project, billedTo, part: partOf(project, billedTo) };
  }

  return {
    account: (project, billedTo, onSpent) => {
      const holder = () => holderOf(project, billedTo);
      const { purpose, isSpare } = billedTo;
      const wanted = { isModeration: purpose === "moderation", isSpare };
      return {
        book: (charge) => bookings.book(holder(), charge, onSpent),
        left: async () => {
          const measure = await bookings.measure(holder(), buckets);
          const [units, searches, uploads] = [
            stateOf(measure("units")),
            stateOf(measure("searches")),
            stateOf(measure("uploads")),
          ];
          return { units, searches, uploads };
        },
        afford: async (charges, personal) => {
          const measure = await bookings.measure(holder(), buckets);
          const sums = sumOf(charges);
          for (const bucket of buckets) {
            const method = charges.find((charge) => charge.bucket === bucket)?.method;
            if (method === undefined) continue;
            const mine = personal && { personal: personal[bucket] };
            refuseOver(
              { ...wanted, ...mine, method, bucket, amount: sums[bucket] },
              measure(bucket),
            );
          }
        },
        affordCredits: async (cost) => {
          const measure = await bookings.measure(holder(), ["credits"]);
          const charge = { method: "removebg", bucket: "credits" } as const;
          const amount = toAmount("credits", cost);
          refuseOver({ ...wanted, ...charge, amount }, measure("credits"));
        },
      };
    },
    unitsSpent: history.units,
    creditsSpent: history.credits,
    close: bookings.unsaved.close,
  };
}
