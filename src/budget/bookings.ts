import type { Clock } from "../clock.ts";
import { isServerErased } from "../errors.ts";
import { costOfCall, toAmount } from "./amounts.ts";
import type { QuotaDay } from "./calendar.ts";
import { createEntryStore, type EntryStoreDeps } from "./entry-store.ts";
import type { QuotaMeasure } from "./measure.ts";
import {
  type AccountHolder,
  bookedAmount,
  type SpendingChange,
  type SpendingEntry,
} from "./spending-entry.ts";
import type { Booking, CallCharge, CallResult, SpendingKind } from "./types.ts";
import { createUnsavedChanges, isOutage } from "./unsaved-changes.ts";

/** Called with the cost of a call that reached YouTube or remove.bg; `costOfCall` says how repeated attempts count. */
export type OnSpent = (spent: CallCharge) => void;

const maxWaitMs = 1_000;
/** Credits are somebody's money, and a picture takes seconds anyway: a busy database must not let more through. */
const maxCreditWaitMs = 10_000;
export const timedOut = Symbol("timed out");

export type Bookings = ReturnType<typeof createBookings>;

/** Books calls, even while the database fails: counting must not delay the calls. */
export function createBookings({
  clock,
  today,
  ...deps
}: EntryStoreDeps & { readonly clock: Clock; readonly today: () => QuotaDay }) {
  const store = createEntryStore(deps);
  const unsaved = createUnsavedChanges({ clock, write, onFailure: deps.onFailure });
  /** What the database is still counting; `close` waits for it. None of it fails. */
  const counting = new Set<Promise<unknown>>();

  function noteCounting(work: Promise<unknown>): void {
    counting.add(work);
    void work.then(() => counting.delete(work));
  }

  async function write(entry: SpendingEntry, change: SpendingChange): Promise<void> {
    await entry.storing;
    await store.write(entry, change);
  }

  function keepUnsaved(entry: SpendingEntry): void {
    unsaved.put(entry, { amount: bookedAmount(entry), count: 1 });
  }

  /** Whether the database can be asked: everything spent is saved in it, and it did not fail a moment ago. */
  async function isUsable(): Promise<boolean> {
    if (!unsaved.isEmpty) await waitBriefly(clock, unsaved.save());
    return unsaved.isEmpty && !unsaved.isPaused;
  }

  /** Whether the database has counted the entry, or is about to. @throws LimitError; ServiceError `guild_erased`. */
  async function isCounted(entry: SpendingEntry): Promise<boolean> {
    if (!(await isUsable())) return false;
    const storing = store.book(entry);
    try {
      // After the wait the call is sent, whatever the result in the database will be.
      const maxMs = entry.charge.bucket === "credits" ? maxCreditWaitMs : maxWaitMs;
      if ((await waitBriefly(clock, storing, maxMs)) === timedOut) {
        entry.storing = storing.catch(() => keepUnsaved(entry));
        noteCounting(entry.storing);
      }
      return true;
    } catch (error) {
      if (!isOutage(error)) throw error;
      unsaved.failed(error);
      return false;
    }
  }

  async function correct(entry: SpendingEntry, change: SpendingChange): Promise<void> {
    if (!unsaved.isEmpty || unsaved.isPaused) return unsaved.put(entry, change);
    const writing = write(entry, change).catch((error: unknown) => {
      if (isServerErased(error)) return;
      unsaved.failed(error);
      unsaved.put(entry, change);
    });
    noteCounting(writing);
    await waitBriefly(clock, writing);
  }

  /** Corrects the booking and returns what the call cost. */
  async function settle(entry: SpendingEntry, result: CallResult): Promise<number> {
    const { charge } = entry;
    const cost = costOfCall(charge, result);
    const amount = toAmount(charge.bucket, cost) - bookedAmount(entry);
    const count = result.attempts === 0 ? -1 : 0;
    const isEmpty = result.exhausted === true && store.isEmptyForTheDay(entry);
    if (amount !== 0 || count !== 0 || isEmpty) {
      await correct(entry, { amount, count, ...(isEmpty && { isEmpty }) });
    }
    return cost;
  }

  return {
    unsaved,
    /** Waits a while for what the database is counting, and saves what is not counted yet. */
    async close(): Promise<void> {
      await waitBriefly(clock, Promise.all(counting), maxCreditWaitMs);
      await unsaved.close();
    },
    /** @throws as `SpendingMeter.book`. */
    async book(holder: AccountHolder, charge: CallCharge, onSpent?: OnSpent): Promise<Booking> {
      const unknown = { serverId: undefined, part: undefined, storing: undefined };
      const call = { holder, charge, day: today() };
      const entry: SpendingEntry = { ...call, ...unknown, names: {}, isStored: false };
      if (!(await isCounted(entry))) {
        store.judge(entry, unsaved.usage(holder, charge.bucket, entry.day));
        keepUnsaved(entry);
      }
      let isSettled = false;
      return {
        settle: async (result) => {
          if (isSettled) return;
          isSettled = true;
          const cost = await settle(entry, result);
          // A call that was refused because the bucket is empty takes nothing from it.
          if (result.attempts > 0 && !result.exhausted) onSpent?.({ ...charge, cost });
        },
      };
    },
    /** Measures what is left of buckets of the same calendar. Never throws. */
    async measure(
      holder: AccountHolder,
      buckets: readonly SpendingKind[],
    ): Promise<(bucket: SpendingKind) => QuotaMeasure> {
      const day = today();
      if (await isUsable()) {
        const reading = store.measure(holder, buckets, day).catch(unsaved.failed);
        const read = await waitBriefly(clock, reading);
        if (read !== timedOut && read !== undefined) return read;
      }
      return (bucket) =>
        store.measureAlone(holder, unsaved.usage(holder, bucket, day), { bucket, day });
    },
  };
}

/** The result of the work, or `timedOut` if it takes too long. */
export async function waitBriefly<T>(
  clock: Clock,
  work: Promise<T>,
  timeoutMs: number = maxWaitMs,
): Promise<T | typeof timedOut> {
  const late = Promise.withResolvers<typeof timedOut>();
  const stopTimer = clock.after(timeoutMs, () => late.resolve(timedOut));
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    stopTimer();
  }
}
