import { createBuckets, emptyMark } from "./buckets.ts";
import { createCalendar, type Day, lastDays } from "./calendar.ts";
import { createLedger } from "./ledger.ts";
import type { Booking, Charge, Spending } from "./meter.ts";
import { patiently } from "./patience.ts";
import { refuseOver } from "./refuse.ts";
import { lineOf, readLines } from "./spent-lines.ts";
import { type Tally, unsavedOf } from "./tally.ts";
import type { RecordAt, Spender, Spent, Units, UnitsOptions } from "./types.ts";

// What a kill may lose (docs/decisions.md): of the totals what was counted in 2 s and less than 1 % of a bucket, and
// the names of the spenders of 15 s.
const totalsWithinMs = 2_000;
const spendersWithinMs = 15_000;
const dearShare = 0.01;

/** Longest time that a call waits for the records. */
const patienceMs = 1_000;

/** What one call is booked under, until it is settled. */
interface Entry {
  readonly at: RecordAt;
  readonly day: Day;
  readonly spender: Spender;
  readonly charge: Charge;
  /** How often the guild had been erased by then. */
  readonly erasures: number;
}

/** Counts what this bot spends of each project, a day at a time. One for the whole process. */
export function createUnits(options: UnitsOptions): Units {
  const { records, now, onFailure = () => undefined } = options;
  const today = createCalendar(now);
  const buckets = createBuckets(options);
  const shared = { records, now, onFailure };
  const totals = createLedger({ ...shared, saveWithinMs: totalsWithinMs });
  const spenders = createLedger({ ...shared, saveWithinMs: spendersWithinMs });
  const erasures = new Map<string, number>();

  async function book(project: string, spender: Spender, charge: Charge): Promise<Booking> {
    const day = today();
    const at = { project, day: day.name };
    const tally = await loaded(at);
    // From here to the count nothing is waited for, so that two calls can't both take the last units.
    refuseOver(charge, buckets.left(tally, charge.bucket, day), spender.purpose === "moderation");
    const entry = { at, day, spender, charge, erasures: erasuresOf(spender.guildId) };
    count(entry, charge.cost);
    const isDear = unsavedOf(tally, charge.bucket) >= buckets.limits[charge.bucket] * dearShare;
    if (isDear) await patiently(totals.save(at), patienceMs);
    return bookingOf(entry);
  }

  function bookingOf(entry: Entry): Booking {
    let isSettled = false;
    return {
      async settle(spending) {
        if (isSettled) return;
        isSettled = true;
        await settle(entry, spending);
      },
    };
  }

  /**
   * Whether the service charges a failed attempt is written nowhere. Of the many units each counts; of a hundred searches
   * it does not, or one bad minute of the service would close the day for everybody.
   */
  async function settle(entry: Entry, { attempts, exhausted }: Spending): Promise<void> {
    const { at, day, charge } = entry;
    const counted = charge.bucket === "units" ? attempts : Math.min(attempts, 1);
    count(entry, (counted - 1) * charge.cost);
    if (!exhausted || buckets.empty(at.project, charge.bucket, day) === "minutes") return;
    totals.add(at, new Map([[emptyMark(charge.bucket), 1]]));
    await patiently(totals.save(at), patienceMs);
  }

  function count({ at, spender, charge, erasures: then }: Entry, amount: number): void {
    if (amount === 0) return;
    const { guildId } = spender;
    totals.add(at, new Map([[charge.bucket, amount]]));
    // What a guild had under way when it was erased leaves no trace.
    if (erasuresOf(guildId) !== then) return;
    spenders.add({ ...at, guildId }, new Map([[lineOf(spender, charge), amount]]));
  }

  function erasuresOf(guildId: string): number {
    return erasures.get(guildId) ?? 0;
  }

  async function loaded(at: RecordAt): Promise<Tally> {
    if (!totals.tally(at).isLoaded) await patiently(totals.load(at), patienceMs);
    return totals.tally(at);
  }

  async function spentOn(at: RecordAt): Promise<readonly Spent[]> {
    await spenders.save(at);
    const read = await records.read(at);
    if (read.state === "failed") throw read.error;
    return read.state === "found" ? readLines(at.day, read.value) : [];
  }

  return {
    meter: (project, spender) => ({ book: (charge) => book(project, spender, charge) }),
    async left(project) {
      const day = today();
      const tally = await loaded({ project, day: day.name });
      return {
        units: buckets.left(tally, "units", day),
        searches: buckets.left(tally, "searches", day),
        uploads: buckets.left(tally, "uploads", day),
      };
    },
    async spent(project, guildId, days = 1) {
      const names = lastDays(now(), days).map(({ name }) => name);
      const each = await Promise.all(names.map((day) => spentOn({ project, day, guildId })));
      return each.flat();
    },
    async forget(guildId) {
      erasures.set(guildId, erasuresOf(guildId) + 1);
      await spenders.drop((at) => at.guildId === guildId);
    },
    async close() {
      await totals.close();
      await spenders.close();
    },
  };
}
