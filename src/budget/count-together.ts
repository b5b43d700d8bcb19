import type { Database } from "../database/index.ts";
import { isGuildErased } from "../errors.ts";
import {
  type CounterRow,
  type CounterRows,
  type CountersChange,
  readUsage,
  type SpendingRowChange,
  type UsageQuery,
  usageName,
  writeAlone,
  writeGuarded,
} from "./counters.ts";
import { type MeasureBasis, measureQuota, type QuotaUsage } from "./measure.ts";
import { borrowedOf, type PartUsage } from "./quota-parts.ts";
import { refuseOver } from "./refuse-over.ts";
import {
  amountOfEntry,
  type SpendingChange,
  type SpendingEntry,
  spendingKeyOf,
} from "./spending-entry.ts";
import type { SpendingKind } from "./types.ts";

/** A change to be counted, of an entry whose server and names are known. */
export interface CountedChange {
  readonly entry: SpendingEntry;
  readonly change: SpendingChange;
  /** What a booking is judged against; undefined for what is counted whatever is left. */
  readonly basis?: MeasureBasis;
}

/** Why each was not counted; undefined for those that were. */
type Refusals = readonly unknown[];

/** After so many tries in which others were quicker, or a row was not there yet, the rows are locked first. */
const mostFreeTries = 2;
/** PostgreSQL's code for a deadlock, such as with an erasure. */
const deadlock = "40P01";
const noUsage: CounterRow = { used: 0, extra: 0, isEmpty: 0, version: "" };

/** Counts changes of one project, in their order. None of them fails because of another. */
export async function countTogether(
  database: Database,
  changes: readonly CountedChange[],
): Promise<Refusals> {
  const refusals = new Map<CountedChange, unknown>();
  const groups = Map.groupBy(changes, ({ entry }) => `${entry.charge.bucket} ${entry.day.name}`);
  for (const group of groups.values()) {
    const found = await countGroup(database, group).catch((error) => group.map(() => error));
    for (const [n, change] of group.entries()) refusals.set(change, found[n]);
  }
  return changes.map((change) => refusals.get(change));
}

async function countGroup(database: Database, group: readonly CountedChange[]): Promise<Refusals> {
  for (let tries = 1; ; tries += 1) {
    try {
      const isLocked = database.dialect === "sqlite" || tries > mostFreeTries;
      const work = () => tryGroup(database, group, isLocked);
      const refusals = await (isLocked ? database.transaction(work) : work());
      if (refusals !== undefined) return refusals;
    } catch (error) {
      if (isGuildErased(error) && group.length > 1) return countEach(database, group);
      if (!isDeadlock(error)) throw error;
    }
  }
}

/** The row of an erased server fails the statement for all. */
async function countEach(database: Database, group: readonly CountedChange[]): Promise<Refusals> {
  const refusals: unknown[] = [];
  for (const change of group) refusals.push(...(await countTogether(database, [change])));
  return refusals;
}

/** Undefined when somebody else has changed what was read. */
async function tryGroup(
  database: Database,
  group: readonly CountedChange[],
  isLocked: boolean,
): Promise<Refusals | undefined> {
  const query = queryOf(group);
  const { key } = query;
  const isPostgres = database.dialect === "postgres";
  if (isPostgres && isLocked) await writeGuarded(database, key, lockOf(query));
  const isGuarded = group.some(({ basis, entry }) => basis ?? entry.part);
  const rows: CounterRows = isGuarded ? await readUsage(database, query) : new Map();
  const { refusals, sums } = judge(group, rows);
  if (sums.spending.length === 0) return refusals;
  if (!isPostgres) {
    await writeAlone(database, key, sums);
    return refusals;
  }
  const versionOf = (name?: string) => rows.get(usageName(key.bucket, name))?.version ?? "";
  const guards = {
    quota: isGuarded && sums.quota ? [versionOf()] : [],
    parts: isGuarded ? query.guarded.map((part) => ({ part, version: versionOf(part) })) : [],
  };
  return (await writeGuarded(database, key, sums, guards)) ? refusals : undefined;
}

/** Adding nothing locks the row for the transaction, and makes it where it is missing. */
function lockOf({ key, guarded }: ReturnType<typeof queryOf>): CountersChange {
  return {
    quota: key.bucket === "credits" ? undefined : { used: 0, lent: 0, isEmpty: 0 },
    parts: guarded.map((part) => ({ part, used: 0, moderated: 0 })),
    spending: [],
  };
}

function queryOf(group: readonly CountedChange[]) {
  const [first] = group as readonly [CountedChange];
  const { project } = first.entry.holder;
  const { bucket } = first.entry.charge;
  const day = first.entry.day.name;
  const people = new Map(
    group.flatMap(({ entry }) => {
      const person = limitedPersonOf(entry, [bucket]);
      return person ? [[`${person.serverId} ${person.userId}`, person] as const] : [];
    }),
  );
  const namesOf = (list: readonly (string | undefined)[]) =>
    [...new Set(list)].filter((name) => name !== undefined).sort();
  return {
    ...{ project, day, buckets: [bucket], key: { project, day, bucket } },
    people: [...people.values()],
    parts: namesOf(group.flatMap(({ entry }) => Object.values(entry.names))),
    /** All other parts change along with the project's row. */
    guarded: namesOf(group.map(({ entry }) => entry.names.person)),
  } satisfies UsageQuery & Record<string, unknown>;
}

/** The person whose usage limits the entry. */
export function limitedPersonOf(
  { holder, serverId }: Pick<SpendingEntry, "holder" | "serverId">,
  buckets: readonly SpendingKind[],
): UsageQuery["people"][number] | undefined {
  const { userId, limits } = holder.billedTo;
  const isLimited = buckets.some((bucket) => limits?.budgets?.[bucket] !== undefined);
  return isLimited && serverId !== undefined ? { serverId, userId } : undefined;
}

/** Judges one after the other, each by what those before it leave. */
function judge(group: readonly CountedChange[], rows: CounterRows) {
  const usage = new Map(rows);
  const sums = new Map<string, CounterRow>();
  const spending = new Map<string, SpendingRowChange>();
  const refusals = group.map(({ entry, change, basis }) => {
    const before = usageOf(usage, entry.charge.bucket, entry);
    try {
      if (basis !== undefined) refuseEntryOver(entry, before, basis);
    } catch (error) {
      return error;
    }
    for (const [name, added] of additionsOf(entry, change, before)) {
      for (const counts of [usage, sums]) counts.set(name, plus(counts.get(name), added));
    }
    addSpending(spending, entry, change);
    return undefined;
  });
  return { refusals, sums: changeOf(group, sums, spending) };
}

type Addition = Partial<Pick<CounterRow, "used" | "extra" | "isEmpty">>;

function plus(
  row: CounterRow = noUsage,
  { used = 0, extra = 0, isEmpty = 0 }: Addition,
): CounterRow {
  return {
    ...row,
    used: row.used + used,
    extra: row.extra + extra,
    isEmpty: Math.max(row.isEmpty, isEmpty),
  };
}

function additionsOf(
  entry: SpendingEntry,
  { amount: used, isEmpty }: SpendingChange,
  before: QuotaUsage,
): readonly (readonly [name: string, added: Addition])[] {
  const { bucket } = entry.charge;
  const moderated = entry.holder.billedTo.purpose === "moderation" ? used : 0;
  const lent = lentBy(entry, before.linker, { used, moderated });
  const person = limitedPersonOf(entry, [bucket]);
  return [
    [usageName(bucket), { used, extra: lent, isEmpty: isEmpty ? 1 : 0 }],
    ...Object.values(entry.names).map(
      (name: string) => [usageName(bucket, name), { used, extra: moderated }] as const,
    ),
    ...(person ? [[usageName(bucket, person), { used }] as const] : []),
  ];
}

function addSpending(
  spending: Map<string, SpendingRowChange>,
  entry: SpendingEntry,
  { amount, count }: SpendingChange,
): void {
  const key = spendingKeyOf(entry, entry.serverId as number); // it was found before
  const name = Object.values(key).join("\n");
  const before = spending.get(name);
  spending.set(name, {
    ...key,
    amount: amount + (before?.amount ?? 0),
    count: count + (before?.count ?? 0),
    isCorrection: entry.isStored && before?.isCorrection !== false,
  });
}

function changeOf(
  group: readonly CountedChange[],
  sums: CounterRows,
  spending: ReadonlyMap<string, SpendingRowChange>,
): CountersChange {
  const [{ bucket }] = group.map(({ entry }) => entry.charge) as [SpendingEntry["charge"]];
  const sum = (name?: string) => sums.get(usageName(bucket, name));
  const { used, extra: lent, isEmpty } = sum() ?? noUsage;
  const names = new Set(group.flatMap(({ entry }) => Object.values(entry.names) as string[]));
  return {
    quota: bucket === "credits" ? undefined : { used, lent, isEmpty },
    parts: [...names].sort().flatMap((part) => {
      const row = sum(part);
      return row ? [{ part, used: row.used, moderated: row.extra }] : [];
    }),
    // All in one order, so that no two wait for each other.
    spending: [...spending].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row),
  };
}

/** What limits whoever spends, as it was read. */
export function usageOf(
  rows: CounterRows,
  bucket: SpendingKind,
  of: Pick<SpendingEntry, "holder" | "serverId" | "names">,
): QuotaUsage {
  const row = (name?: Parameters<typeof usageName>[1]) =>
    rows.get(usageName(bucket, name)) ?? noUsage;
  const part = (name: string | undefined) => (name === undefined ? noUsage : row(name));
  const person = limitedPersonOf(of, [bucket]);
  const { linker, channel, guild } = of.names;
  const { used: linked, extra: moderated } = part(linker);
  return {
    used: Math.max(0, row().used),
    lent: Math.max(0, row().extra),
    isEmpty: row().isEmpty === 1,
    linker: { used: linked, moderated },
    channel: part(channel).used,
    guild: part(guild).used,
    person: person ? row(person).used : 0,
  };
}

/** @throws LimitError */
export function refuseEntryOver(
  entry: SpendingEntry,
  usage: QuotaUsage,
  basis: MeasureBasis,
): void {
  const { holder, charge } = entry;
  const { method, bucket } = charge;
  const { purpose, isSpare, limits } = holder.billedTo;
  const isShared = limits?.sharer !== undefined;
  const wanted = { method, bucket, isModeration: purpose === "moderation", isSpare, isShared };
  refuseOver({ ...wanted, amount: amountOfEntry(entry) }, measureQuota(bucket, usage, basis));
}

/** How much of the change is borrowed beyond the own part. */
function lentBy({ part }: SpendingEntry, before: PartUsage, added: PartUsage): number {
  if (part === undefined) return 0;
  const used = before.used + added.used;
  const moderated = before.moderated + added.moderated;
  return borrowedOf(part, { used, moderated }) - borrowedOf(part, before);
}

function isDeadlock(error: unknown): boolean {
  return (error as { readonly cause?: { readonly code?: unknown } }).cause?.code === deadlock;
}
