import { type Bounding, boundsOf, isBounded, isDearToBounds } from "./bounds.ts";
import { createBuckets, emptyMark } from "./buckets.ts";
import { createCalendar, type Day, lastDays } from "./calendar.ts";
import { projectsIn, sumsAt, sumsFor } from "./guild-sums.ts";
import { createLedger, type Ledger } from "./ledger.ts";
import type { Booking, Bucket, Charge, Spending } from "./meter.ts";
import { patiently } from "./patience.ts";
import { refuseOver, type Wanted } from "./refuse.ts";
import { lineOf, readLines } from "./spent-lines.ts";
import { countsOf, type Tally, unsavedOf } from "./tally.ts";
import { type Amount, sumOf, type Terms } from "./terms.ts";
import type {
  Account,
  Bound,
  Counts,
  Left,
  RecordAt,
  Spender,
  SpentOf,
  Units,
  UnitsOptions,
} from "./types.ts";

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

/** Who calls, of which project, and what limits them. */
interface Holder {
  readonly project: string;
  readonly spender: Spender;
  readonly terms: Terms;
}

const names = ["units", "searches", "uploads"] as const satisfies readonly Bucket[];
const freely: Terms = {};
const nobody: Spender = { guildId: "", userId: "", command: "" };

/** Counts what this bot spends of each project, a day at a time. One for the whole process. */
export function createUnits(options: UnitsOptions): Units {
  const { records, now, onFailure = () => undefined } = options;
  const today = createCalendar(now);
  const buckets = createBuckets(options);
  const shared = { records, now, onFailure };
  const totals = createLedger({ ...shared, saveWithinMs: totalsWithinMs });
  const spenders = createLedger({ ...shared, saveWithinMs: spendersWithinMs });
  const erasures = new Map<string, number>();

  async function book(holder: Holder, charge: Charge): Promise<Booking> {
    const { project, spender, terms } = holder;
    const { bucket, cost } = charge;
    const standing = await standingOf(holder);
    const { day, tally } = standing;
    // From here to the count nothing is waited for, so that two calls can't both take the last units.
    refuseOver(
      wantedOf(holder, charge),
      leftOf(bucket, holder, standing),
      boundsIn(bucket, standing),
    );
    const at = { project, day: day.name };
    const entry = { at, day, spender, charge, erasures: erasuresOf(spender.guildId) };
    count(entry, cost);
    const limit = buckets.limitsOf(terms)[bucket];
    if (unsavedOf(tally, bucket) >= limit * dearShare) await patiently(totals.save(at), patienceMs);
    const { bounding } = standing;
    if (bounding !== undefined && isDearToBounds(bucket, bounding)) {
      await patiently(spenders.save(bounding.sums.at), patienceMs);
    }
    return bookingOf(entry);
  }

  function wantedOf({ spender, terms }: Holder, { method, bucket, cost }: Charge): Wanted {
    const isModeration = spender.purpose === "moderation";
    return { method, bucket, cost, isModeration, isSpare: terms.isSpare === true };
  }

  async function afford(holder: Holder, charges: readonly Charge[], personal?: Amount) {
    const standing = await standingOf(holder);
    const sums = sumOf(charges);
    for (const bucket of names) {
      const first = charges.find((charge) => charge.bucket === bucket);
      if (first === undefined) continue;
      const wanted = wantedOf(holder, { ...first, cost: sums[bucket] });
      const all = personal === undefined ? wanted : { ...wanted, personal: personal[bucket] };
      refuseOver(all, leftOf(bucket, holder, standing), boundsIn(bucket, standing));
    }
  }

  /** What is known of today: of the project, and of what limits the spender where something does. */
  interface Standing {
    readonly day: Day;
    readonly tally: Tally;
    readonly bounding: Bounding | undefined;
  }

  async function standingOf({ project, spender, terms }: Holder): Promise<Standing> {
    const day = today();
    const at = { project, day: day.name };
    if (!isBounded(terms)) return { day, tally: await loaded(totals, at), bounding: undefined };
    const sumsOfDay = sumsAt(day.name, spender.guildId);
    await loaded(spenders, sumsOfDay);
    const tally = await loaded(totals, at);
    const sums = spenders.tally(sumsOfDay);
    return { day, tally, bounding: { project, spender, terms, sums, day } };
  }

  function boundsIn(bucket: Bucket, { bounding }: Standing): readonly Bound[] {
    return bounding === undefined ? [] : boundsOf(bucket, bounding);
  }

  function leftOf(
    bucket: Bucket,
    { terms }: Pick<Holder, "terms">,
    { tally, day }: Standing,
  ): Left {
    return buckets.left(tally, bucket, { day, terms });
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
    const { bucket } = charge;
    totals.add(at, new Map([[bucket, amount]]));
    // What a guild had under way when it was erased leaves no trace.
    if (erasuresOf(guildId) !== then) return;
    spenders.add({ ...at, guildId }, new Map([[lineOf(spender, charge), amount]]));
    const sums = sumsFor({ project: at.project, spender, bucket }, amount);
    spenders.add(sumsAt(at.day, guildId), sums);
  }

  function erasuresOf(guildId: string): number {
    return erasures.get(guildId) ?? 0;
  }

  /** Read once; after a failure, what is counted here has to do. */
  async function loaded(ledger: Ledger, at: RecordAt): Promise<Tally> {
    if (!ledger.tally(at).isLoaded) await patiently(ledger.load(at), patienceMs);
    return ledger.tally(at);
  }

  /** What is stored, and what could not be stored yet. */
  async function countsAt(at: RecordAt): Promise<Counts> {
    await spenders.save(at);
    const read = await records.read(at);
    if (read.state === "failed") throw read.error;
    return countsOf(spenders.peek(at), read.state === "found" ? read.value : {});
  }

  async function spentOn(at: RecordAt): Promise<readonly SpentOf[]> {
    return readLines(at, await countsAt(at));
  }

  async function historyOn(day: string, guildId: string): Promise<readonly SpentOf[]> {
    const projects = projectsIn(await countsAt(sumsAt(day, guildId)));
    const each = await Promise.all(projects.map((project) => spentOn({ project, day, guildId })));
    return each.flat();
  }

  async function left(holder: Holder): Promise<Readonly<Record<Bucket, Left>>> {
    const standing = await standingOf(holder);
    const one = (bucket: Bucket) => {
      const of = leftOf(bucket, holder, standing);
      const bounds = boundsIn(bucket, standing);
      const [tightest] = [...bounds].sort((a, b) => a.left - b.left);
      const share = bounds.find((bound) => bound.of === "guild");
      return {
        ...of,
        ...(tightest !== undefined && tightest.left < of.left && { bound: tightest }),
        ...(share !== undefined && { share }),
      };
    };
    return { units: one("units"), searches: one("searches"), uploads: one("uploads") };
  }

  return {
    meter: (project, spender, terms = freely): Account => {
      const holder = { project, spender, terms };
      return {
        book: (charge) => book(holder, charge),
        left: () => left(holder),
        afford: (charges, personal) => afford(holder, charges, personal),
      };
    },
    left: (project) => left({ project, spender: nobody, terms: freely }),
    async spent(project, guildId, days = 1) {
      const each = await Promise.all(
        lastDays(now(), days).map(({ name: day }) => spentOn({ project, day, guildId })),
      );
      return each.flat().map(({ project: _, ...spent }) => spent);
    },
    async history(guildId, days) {
      const each = await Promise.all(
        lastDays(now(), days).map(({ name }) => historyOn(name, guildId)),
      );
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
