import { isDearToBounds, lentOf, partUseOf } from "./bounds.ts";
import { createBuckets, emptyMark } from "./buckets.ts";
import { createCalendar, type Day } from "./calendar.ts";
import { isSums, projectSumsIn, sumsAt, sumsFor } from "./guild-sums.ts";
import { createHistory } from "./history.ts";
import { createLedger, loaded } from "./ledger.ts";
import type { Booking, Charge, Spending } from "./meter.ts";
import { borrowedOf, type GuildPart } from "./parts.ts";
import { patienceMs, patiently } from "./patience.ts";
import { createSharingServers } from "./sharing-servers.ts";
import { lineOf } from "./spent-lines.ts";
import { createStandings, type Holder } from "./standing.ts";
import { addTo, countsOf, unsavedOf } from "./tally.ts";
import type { Terms } from "./terms.ts";
import type { Account, RecordAt, Spender, Units, UnitsOptions } from "./types.ts";

// What a kill may lose (docs/decisions.md): of the totals what was counted in 2 s and less than 1 % of a bucket, and
// the names of the spenders of 15 s.
const totalsWithinMs = 2_000;
const spendersWithinMs = 15_000;
const dearShare = 0.01;
/** What a guild spent is remembered from one look of a watch to the next, so that it is not read for each. */
const sumsMs = 3_600_000;

/** What one call is booked under, until it is settled. */
interface Entry {
  readonly at: RecordAt;
  readonly day: Day;
  readonly spender: Spender;
  readonly charge: Charge;
  /** How often the guild had been erased by then. */
  readonly erasures: number;
  /** What the guild may spend of a project that several share. */
  readonly part: GuildPart | undefined;
}

const freely: Terms = {};
const nobody: Spender = { guildId: "", userId: "", command: "" };

/** Counts what this bot spends of each project, a day at a time. One for the whole process. */
export function createUnits(options: UnitsOptions): Units {
  const { records, now, onFailure = () => undefined } = options;
  const today = createCalendar(now);
  const buckets = createBuckets(options);
  const shared = { records, now, onFailure };
  const totals = createLedger({ ...shared, saveWithinMs: totalsWithinMs });
  const spenders = createLedger({
    ...{ ...shared, saveWithinMs: spendersWithinMs },
    rememberMs: (at) => (isSums(at) ? sumsMs : 0),
  });
  const sharing = createSharingServers({ totals, spenders, now });
  const standings = createStandings({ totals, spenders, buckets, today, sharing, erasedOf });
  const history = createHistory({ spenders, records, now });
  const erasures = new Map<string, number>();
  /** What erased guilds had spent on that day. In memory alone: whoever erases everything leaves nothing stored. */
  let erased: { day: string; readonly sums: Map<string, ReadonlyMap<string, number>> } = {
    day: "",
    sums: new Map(),
  };

  async function book(holder: Holder, charge: Charge): Promise<Booking> {
    const { project, spender, terms } = holder;
    const { bucket, cost } = charge;
    const standing = await standings.of(holder);
    const { day, tally, bounding } = standing;
    // From here to the count nothing is waited for, so that two calls can't both take the last units.
    standings.refuse(charge, standing);
    const at = { project, day: day.name };
    const { guildId } = spender;
    const entry = {
      ...{ at, day, spender, charge, erasures: erasuresOf(guildId) },
      part: bounding?.servers === undefined ? undefined : bounding.partOf(bucket, bounding.servers),
    };
    count(entry, cost);
    const limit = buckets.limitsOf(terms)[bucket];
    if (unsavedOf(tally, bucket) >= limit * dearShare) await patiently(totals.save(at), patienceMs);
    if (bounding !== undefined && isDearToBounds(bucket, bounding)) {
      await patiently(spenders.save(bounding.sums.at), patienceMs);
    }
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

  function count(entry: Entry, amount: number): void {
    if (amount === 0) return;
    const { at, spender, charge } = entry;
    const { guildId } = spender;
    const { bucket } = charge;
    totals.add(at, new Map([[bucket, amount]]));
    // What a guild had under way when it was erased leaves no trace.
    if (erasuresOf(guildId) !== entry.erasures) return;
    const lent = lentBy(entry, amount);
    if (lent !== 0) totals.add(at, new Map([[lentOf(bucket), lent]]));
    spenders.add({ ...at, guildId }, new Map([[lineOf(spender, charge), amount]]));
    const sums = sumsFor({ project: at.project, spender, bucket }, amount);
    spenders.add(sumsAt(at.day, guildId), sums);
  }

  /** How much of it goes beyond the guild's own part. */
  function lentBy({ at, spender, charge, part }: Entry, amount: number): number {
    if (part === undefined) return 0;
    const { guildId, purpose } = spender;
    const sums = spenders.tally(sumsAt(at.day, guildId));
    const before = partUseOf(charge.bucket, {
      ...{ project: at.project, sums },
      erased: erasedOf(guildId),
    });
    const after = {
      used: before.used + amount,
      moderated: before.moderated + (purpose === "moderation" ? amount : 0),
    };
    return borrowedOf(part, after) - borrowedOf(part, before);
  }

  function erasedToday(): Map<string, ReadonlyMap<string, number>> {
    const { name } = today();
    if (erased.day !== name) erased = { day: name, sums: new Map() };
    return erased.sums;
  }

  function erasedOf(guildId: string): ReadonlyMap<string, number> | undefined {
    return erasedToday().get(guildId);
  }

  /** So that a guild does not get its part of the day once more by erasing what it spent. */
  async function rememberErased(guildId: string): Promise<void> {
    const tally = await loaded(spenders, sumsAt(today().name, guildId));
    const sums = new Map(projectSumsIn(countsOf(tally, tally.stored)));
    for (const [name, amount] of erasedOf(guildId) ?? []) addTo(sums, name, amount);
    if (sums.size > 0) erasedToday().set(guildId, sums);
  }

  function erasuresOf(guildId: string): number {
    return erasures.get(guildId) ?? 0;
  }

  return {
    meter: (project, spender, terms = freely): Account => {
      const holder = { project, spender, terms };
      return {
        book: (charge) => book(holder, charge),
        left: () => standings.left(holder),
        afford: (charges, personal) => standings.afford(holder, charges, personal),
      };
    },
    left: (project) => standings.left({ project, spender: nobody, terms: freely }),
    spent: history.ofProject,
    history: history.ofAll,
    async forget(guildId) {
      await rememberErased(guildId);
      await sharing.forget(guildId);
      erasures.set(guildId, erasuresOf(guildId) + 1);
      await spenders.drop((at) => at.guildId === guildId);
    },
    async close() {
      await totals.close();
      await spenders.close();
    },
  };
}
