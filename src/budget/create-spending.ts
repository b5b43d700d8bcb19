import { createHash, createHmac } from "node:crypto";
import { createCache } from "../cache.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/index.ts";
import { type BucketSums, quotaBuckets, sumByBucket, toAmount } from "./amounts.ts";
import { createBookings, type OnSpent, timedOut, waitBriefly } from "./bookings.ts";
import { quotaDayAt } from "./calendar.ts";
import { takeForDecisions } from "./counters.ts";
import { createHistory } from "./history.ts";
import { defaultReserve, toQuotaState } from "./measure.ts";
import { refuseOver } from "./refuse-over.ts";
import type { QuotaSharing } from "./sharing-channels.ts";
import type { AccountHolder, PartNames } from "./spending-entry.ts";
import type {
  BilledTo,
  Booking,
  CallCharge,
  DecisionUnits,
  QuotaAmounts,
  QuotaBucket,
  QuotaState,
  SpendingKind,
} from "./types.ts";

export interface SpendingOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** Known to this bot alone; without it nobody can compute the hashes of server ids. */
  readonly secret: Uint8Array;
  /** What a project may spend a day; YouTube's defaults when absent. */
  readonly quota?: QuotaAmounts;
  /** Share of the units that is kept for moderation, from 0 to 1; `defaultReserve` when absent. */
  readonly reserve?: number;
  /** Called when the database can't be read or written; counting then continues in memory. */
  readonly onFailure?: (error: unknown) => void;
}

/** Counts what every project of this bot has spent, and who spent it. One for the whole process. */
export type Spending = ReturnType<typeof createSpending>;

export type VideoCharge = CallCharge & { readonly bucket: QuotaBucket };

const maxPartNames = 10_000;

export function createSpending(options: SpendingOptions) {
  const { database, clock, secret, quota = {}, reserve = defaultReserve } = options;
  const { onFailure = () => undefined } = options;
  const today = () => quotaDayAt(database.now());
  const partCache = createCache<string>({ maxSize: maxPartNames });

  /** Names what is counted. A name changes every day, so that days can't be connected. */
  function namePart(project: string, of: string): string {
    const text = `part ${project} ${today().name} ${of}`;
    const known = partCache.get(text);
    if (known !== undefined) return known;
    const part = createHmac("sha256", secret).update(text).digest("hex").slice(0, 32);
    partCache.set(text, part);
    return part;
  }

  function namesFor(
    { project, billedTo, sharer }: AccountHolder,
    sharing: QuotaSharing | undefined,
    bucket: SpendingKind,
  ): PartNames {
    const { guildId, userId, limits } = billedTo;
    const linkedBy = sharing?.linkedBy ?? sharer?.linkedBy;
    // People are limited in all projects together. SQLite has one writer, so it needs no extra row.
    const isCounted = database.dialect === "postgres" && limits?.budgets?.[bucket] !== undefined;
    return {
      ...(linkedBy !== undefined && { linker: namePart(project, `person ${linkedBy}`) }),
      ...(sharer?.channelId !== undefined && {
        channel: namePart(project, `channel ${sharer.channelId}`),
      }),
      ...(limits?.server !== undefined && { server: namePart(project, guildId) }),
      ...(isCounted && { person: namePart("", `user ${guildId} ${userId}`) }),
    };
  }

  const usual = { quota, reserve };
  const bookings = createBookings({ database, clock, today, onFailure, usual, namesFor });
  const history = createHistory(database, bookings.unsaved);
  return {
    /** The account that counts the calls of one spender with one project. */
    account(project: string, billedTo: BilledTo, onSpent?: OnSpent) {
      const { purpose, isSpare, limits } = billedTo;
      const isShared = limits?.sharer !== undefined;
      const wanted = { isModeration: purpose === "moderation", isSpare, isShared };
      const findHolder = async (): Promise<AccountHolder> => {
        if (limits?.sharer === undefined) return { project, billedTo };
        // A database that does not answer must not delay the call: what is not known is counted for the server.
        const sharer = await waitBriefly(clock, limits.sharer());
        const known = sharer === timedOut ? { linkedBy: billedTo.guildId } : sharer;
        return { project, billedTo, sharer: known };
      };
      return {
        book: async (charge: CallCharge): Promise<Booking> =>
          bookings.book(await findHolder(), charge, onSpent),
        /** What is left of today's buckets, with the tightest limit of this spender. */
        async left(): Promise<Readonly<Record<QuotaBucket, QuotaState>>> {
          const measure = await bookings.measure(await findHolder(), quotaBuckets);
          const left = (bucket: QuotaBucket) => toQuotaState(measure(bucket));
          return { units: left("units"), searches: left("searches"), uploads: left("uploads") };
        },
        /**
         * Checks that all these calls could be paid for today; books nothing. `personal` is what the person would spend in all
         * projects together, if that is more.
         * @throws LimitError as `book` does.
         */
        async afford(charges: readonly VideoCharge[], personal?: BucketSums): Promise<void> {
          const measure = await bookings.measure(await findHolder(), quotaBuckets);
          const sums = sumByBucket(charges);
          for (const bucket of quotaBuckets) {
            const method = charges.find((charge) => charge.bucket === bucket)?.method;
            if (method === undefined) continue;
            const mine = { amount: sums[bucket], ...(personal && { personal: personal[bucket] }) };
            refuseOver({ ...wanted, ...mine, method, bucket }, measure(bucket));
          }
        },
        /**
         * Takes units from the channel's part of a shared project that is for decisions; false if fewer are left of it. It counts
         * across processes and restarts, beside the booking of the call itself. @throws ServiceError `store_unavailable`.
         */
        async takeForDecisions(wanted: DecisionUnits): Promise<boolean> {
          const { sharer } = await findHolder();
          const of = sharer === undefined ? billedTo.guildId : `channel ${sharer.channelId}`;
          const at = { day: today().name, part: namePart(project, of) };
          return database.withoutDiskWait(() => takeForDecisions(database, at, wanted));
        },
        /** As `afford`, for remove.bg. @throws LimitError `budget_person` or `budget_rank`. */
        async affordCredits(cost: number): Promise<void> {
          const measure = await bookings.measure(await findHolder(), ["credits"]);
          const charge = { method: "removebg", bucket: "credits" } as const;
          const amount = toAmount("credits", cost);
          refuseOver({ ...wanted, ...charge, amount }, measure("credits"));
        },
      };
    },
    /**
     * What one server spent in the last `days` days (at most 41), today included, newest first, of every project, whichever
     * keys it has now. It never sees what other servers spent. @throws ServiceError `store_unavailable`.
     */
    unitsSpent: history.units,
    /** The same for remove.bg. */
    creditsSpent: history.credits,
    /** Saves what could not be saved before. */
    close: bookings.close,
  };
}

/** The project of an API key: everybody who uses the same key shares its quota. The key can't be read from the name. */
export function projectOfKey(key: string): string {
  return fingerprint(`key ${key}`);
}

/** The project of an OAuth client: every linked channel spends the quota of the operator's project. */
export function projectOfClient(clientId: string): string {
  return fingerprint(`client ${clientId}`);
}

/** 128 bits are enough to distinguish projects. */
function fingerprint(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
