import { type Clock, withTimeout } from "../clock.ts";
import { isGuildErased, NetworkError } from "../errors.ts";
import { costOf, toAmount } from "./amounts.ts";
import type { QuotaDay } from "./calendar.ts";
import {
  type AccountHolder,
  amountOf,
  createEntry,
  type SpendingChange,
  type SpendingEntry,
} from "./entry.ts";
import { createEntryStore, type EntryStore, type EntryStoreDeps } from "./entry-store.ts";
import type { Measure } from "./measure.ts";
import type { Booking, CallResult, Charge, Spendable } from "./types.ts";
import { createUnsaved, isOutage, type Unsaved } from "./unsaved.ts";

interface BookingsDeps extends EntryStoreDeps {
  readonly clock: Clock;
  readonly today: (bucket: Spendable) => QuotaDay;
}

/** Told what a call cost once it has reached the service; of a repeated one, as it is counted. */
export type OnSpent = (spent: Charge) => void;

/** Longest time that a call waits for the database. */
const patienceMs = 1_000;
const late = Symbol("late");

export type Bookings = ReturnType<typeof createBookings>;

interface BookingsState {
  readonly clock: Clock;
  readonly store: EntryStore;
  readonly unsaved: Unsaved;
}

/** What is booked, also while the database fails: what counts must not hold up what is counted. */
export function createBookings({ clock, today, ...deps }: BookingsDeps) {
  const store = createEntryStore(deps);
  const write = (entry: SpendingEntry, change: SpendingChange) => writeTo(store, entry, change);
  const unsaved = createUnsaved({ clock, write, onFailure: deps.onFailure });
  const state: BookingsState = { clock, store, unsaved };
  return {
    unsaved,
    /** @throws as `SpendingMeter.book`. */
    async book(holder: AccountHolder, charge: Charge, onSpent?: OnSpent): Promise<Booking> {
      const entry = createEntry(holder, charge, today(charge.bucket));
      if (!(await isCounted(state, entry))) {
        store.judge(entry, unsaved.usage(holder, charge.bucket, entry.day));
        keep(unsaved, entry);
      }
      let isSettled = false;
      return {
        settle: async (result) => {
          if (isSettled) return;
          isSettled = true;
          const cost = await settle(state, entry, result);
          // An empty bucket's refusal takes nothing from it.
          if (result.attempts > 0 && !result.exhausted) onSpent?.({ ...charge, cost });
        },
      };
    },
    /** What is left of buckets of the same calendar. Never throws. */
    async measure(
      holder: AccountHolder,
      buckets: readonly Spendable[],
    ): Promise<(bucket: Spendable) => Measure> {
      const day = today(buckets[0] ?? "units");
      if (await isUsable(state)) {
        const reading = store.measure(holder, buckets, day).catch(unsaved.failed);
        const read = await patiently(clock, reading);
        if (read !== late && read !== undefined) return read;
      }
      return (bucket) =>
        store.measureAlone(holder, unsaved.usage(holder, bucket, day), { bucket, day });
    },
  };
}

async function writeTo(
  store: EntryStore,
  entry: SpendingEntry,
  change: SpendingChange,
): Promise<void> {
  await entry.storing;
  await store.write(entry, change);
}

/** The work's end, or the end of our patience with it. */
async function patiently<T>(clock: Clock, work: Promise<T>): Promise<T | typeof late> {
  try {
    return await withTimeout(() => work, { ms: patienceMs, clock });
  } catch (error) {
    if (error instanceof NetworkError && error.code === "timeout") return late;
    throw error;
  }
}

/** Whether the database is worth asking: it has all that was spent, and did not fail a moment ago. */
async function isUsable({ clock, unsaved }: BookingsState): Promise<boolean> {
  if (!unsaved.isEmpty) await patiently(clock, unsaved.save());
  return unsaved.isEmpty && !unsaved.isPaused;
}

/** Whether the database has counted it, or is about to. @throws LimitError; ServiceError `guild_erased`. */
async function isCounted(state: BookingsState, entry: SpendingEntry): Promise<boolean> {
  const { clock, store, unsaved } = state;
  if (!(await isUsable(state))) return false;
  const storing = store.book(entry);
  try {
    // A call that was waited for long enough leaves, whatever the database says about it in the end.
    if ((await patiently(clock, storing)) === late) {
      entry.storing = storing.catch(() => keep(unsaved, entry));
    }
    return true;
  } catch (error) {
    if (!isOutage(error)) throw error;
    unsaved.failed(error);
    return false;
  }
}

function keep(unsaved: Unsaved, entry: SpendingEntry): void {
  unsaved.put(entry, { amount: amountOf(entry), count: 1 });
}

async function correct(
  { clock, store, unsaved }: BookingsState,
  entry: SpendingEntry,
  change: SpendingChange,
): Promise<void> {
  if (!unsaved.isEmpty || unsaved.isPaused) return unsaved.put(entry, change);
  const onFailure = (error: unknown) => {
    if (isGuildErased(error)) return;
    unsaved.failed(error);
    unsaved.put(entry, change);
  };
  await patiently(clock, writeTo(store, entry, change).catch(onFailure));
}

/** Answers what the call cost. */
async function settle(
  state: BookingsState,
  entry: SpendingEntry,
  result: CallResult,
): Promise<number> {
  const { charge } = entry;
  const cost = costOf(charge, result);
  const amount = toAmount(charge.bucket, cost) - amountOf(entry);
  const count = result.attempts === 0 ? -1 : 0;
  const isEmpty = result.exhausted === true && state.store.isEmptyForTheDay(entry);
  if (amount !== 0 || count !== 0 || isEmpty) {
    await correct(state, entry, { amount, count, ...(isEmpty && { isEmpty }) });
  }
  return cost;
}
