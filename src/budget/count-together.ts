import type { Database } from "../database/index.ts";
import { isServerErased } from "../errors.ts";
import {
  type CountedPerson,
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
import { countBorrowed } from "./quota-parts.ts";
import { refuseOver } from "./refuse-over.ts";
import {
  bookedAmount,
  type SpendingChange,
  type SpendingEntry,
  toSpendingKey,
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
type CountErrors = readonly unknown[];

/** After so many tries in which others were quicker, or a row was not there yet, the rows are locked first. */
const mostFreeTries = 2;
/** PostgreSQL's code for a deadlock, such as with an erasure. */
const deadlock = "40P01";
const noUsage: CounterRow = { used: 0, extra: 0, isEmpty: 0, version: "" };

/** Counts changes of one project, bucket and day, in their order. None of them fails because of another. */
export async function countTogether(
  database: Database,
  group: readonly CountedChange[],
): Promise<CountErrors> {
  for (let tries = 1; ; tries += 1) {
    try {
      const isLocked = database.dialect === "sqlite" || tries > mostFreeTries;
      const work = () => tryGroup(database, group, isLocked);
      const errors = await (isLocked ? database.transaction(work) : work());
      if (errors !== undefined) return errors;
    } catch (error) {
      if (isServerErased(error) && group.length > 1) return countEach(database, group);
      const { cause } = error as { readonly cause?: { readonly code?: unknown } };
      if (cause?.code !== deadlock) throw error;
    }
  }
}

/** One by one, because the row of an erased server makes a statement fail for all that are in it. */
async function countEach(
  database: Database,
  group: readonly CountedChange[],
): Promise<CountErrors> {
  const errors: unknown[] = [];
  for (const change of group) {
    const counted = countTogether(database, [change]);
    errors.push(await counted.then(([refused]) => refused).catch((error: unknown) => error));
  }
  return errors;
}

/** Undefined when somebody else has changed what was read. */
async function tryGroup(
  database: Database,
  group: readonly CountedChange[],
  isLocked: boolean,
): Promise<CountErrors | undefined> {
  const query = createQuery(group);
  const { key, guarded } = query;
  const isPostgres = database.dialect === "postgres";
  if (isPostgres && isLocked) {
    // Adding nothing locks the row for the transaction, and makes it where it is missing.
    const parts = guarded.map((part) => ({ part, used: 0, moderated: 0 }));
    const quota = { used: 0, lent: 0, isEmpty: 0 };
    await writeGuarded(database, key, { quota, parts, spending: [] });
  }
  const isGuarded = group.some(({ basis, entry }) => basis ?? entry.part);
  const rows: CounterRows = isGuarded ? await readUsage(database, query) : new Map();
  const { errors, change } = judge(group, query, rows);
  if (change.spending.length === 0) return errors;
  if (!isPostgres) {
    await writeAlone(database, key, change);
    return errors;
  }
  const findVersion = (name?: string) => rows.get(usageName(key.bucket, name))?.version ?? "";
  const guards = {
    quota: isGuarded && key.bucket !== "credits" ? [findVersion()] : [],
    parts: isGuarded ? guarded.map((part) => ({ part, version: findVersion(part) })) : [],
  };
  return (await writeGuarded(database, key, change, guards)) ? errors : undefined;
}

type CountedQuery = ReturnType<typeof createQuery>;

function createQuery(group: readonly CountedChange[]) {
  const [{ entry: first }] = group as readonly [CountedChange];
  const { project } = first.holder;
  const { bucket } = first.charge;
  const day = first.day.name;
  const people = new Map<string, CountedPerson>();
  const parts = new Set<string>();
  const guarded = new Set<string>();
  for (const { entry } of group) {
    const person = findLimitedPerson(entry, [bucket]);
    if (person !== undefined) people.set(usageName(bucket, person), person);
    for (const name of Object.values(entry.names)) parts.add(name);
    if (entry.names.person !== undefined) guarded.add(entry.names.person);
  }
  return {
    project,
    day,
    buckets: [bucket],
    key: { project, day, bucket },
    people: [...people.values()],
    // All in one order, so that no two wait for each other.
    parts: [...parts].sort(),
    /** Rows with a version of their own; all other parts change only together with the project's row. */
    guarded: [...guarded].sort(),
  } satisfies UsageQuery & Record<string, unknown>;
}

export function findLimitedPerson(
  { holder, serverId }: Pick<SpendingEntry, "holder" | "serverId">,
  buckets: readonly SpendingKind[],
): UsageQuery["people"][number] | undefined {
  const { userId, limits } = holder.billedTo;
  const isLimited = buckets.some((bucket) => limits?.budgets?.[bucket] !== undefined);
  return isLimited && serverId !== undefined ? { serverId, userId } : undefined;
}

/** Judges one after the other, each by what those before it leave. */
function judge(group: readonly CountedChange[], { key, parts }: CountedQuery, rows: CounterRows) {
  const usage = new Map(rows);
  const sums = new Map<string, CounterRow>();
  const spending = new Map<string, SpendingRowChange>();
  const errors = group.map(({ entry, change, basis }) => {
    const before = pickUsage(usage, key.bucket, entry);
    try {
      if (basis !== undefined) refuseEntryOver(entry, before, basis);
    } catch (error) {
      return error;
    }
    for (const [name, added] of listAdditions(entry, change, before)) {
      add(usage, name, added);
      add(sums, name, added);
    }
    const row = toSpendingKey(entry, entry.serverId as number); // it was found before
    const name = Object.values(row).join("\n");
    const { amount = 0, count = 0, isCorrection = true } = spending.get(name) ?? {};
    spending.set(name, {
      ...row,
      amount: amount + change.amount,
      count: count + change.count,
      isCorrection: entry.isStored && isCorrection,
    });
    return undefined;
  });
  const sum = (name?: string) => sums.get(usageName(key.bucket, name));
  const { used, extra: lent, isEmpty } = sum() ?? noUsage;
  const change: CountersChange = {
    quota: { used, lent, isEmpty },
    parts: parts.flatMap((part) => {
      const row = sum(part);
      return row ? [{ part, used: row.used, moderated: row.extra }] : [];
    }),
    spending: [...spending].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row),
  };
  return { errors, change };
}

type Addition = Pick<CounterRow, "used" | "extra" | "isEmpty">;

function add(rows: Map<string, CounterRow>, name: string, added: Addition): void {
  const { used, extra, isEmpty, version } = rows.get(name) ?? noUsage;
  rows.set(name, {
    used: used + added.used,
    extra: extra + added.extra,
    isEmpty: Math.max(isEmpty, added.isEmpty),
    version,
  });
}

function listAdditions(
  entry: SpendingEntry,
  { amount: used, isEmpty }: SpendingChange,
  before: QuotaUsage,
): readonly (readonly [name: string, added: Addition])[] {
  const { bucket } = entry.charge;
  const moderated = entry.holder.billedTo.purpose === "moderation" ? used : 0;
  const { part } = entry;
  const { linker } = before;
  const after = { used: linker.used + used, moderated: linker.moderated + moderated };
  // What is borrowed beyond the own part.
  const lent = part ? countBorrowed(part, after) - countBorrowed(part, linker) : 0;
  const person = findLimitedPerson(entry, [bucket]);
  return [
    [usageName(bucket), { used, extra: lent, isEmpty: isEmpty ? 1 : 0 }],
    ...Object.values(entry.names).map(
      (name: string) => [usageName(bucket, name), { used, extra: moderated, isEmpty: 0 }] as const,
    ),
    ...(person ? [[usageName(bucket, person), { used, extra: 0, isEmpty: 0 }] as const] : []),
  ];
}

/** What limits whoever spends, as it was read. */
export function pickUsage(
  rows: CounterRows,
  bucket: SpendingKind,
  of: Pick<SpendingEntry, "holder" | "serverId" | "names">,
): QuotaUsage {
  const row = (name?: Parameters<typeof usageName>[1]) =>
    rows.get(usageName(bucket, name)) ?? noUsage;
  const part = (name: string | undefined) => (name === undefined ? noUsage : row(name));
  const person = findLimitedPerson(of, [bucket]);
  const { linker, channel, server } = of.names;
  const { used: linked, extra: moderated } = part(linker);
  return {
    used: Math.max(0, row().used),
    lent: Math.max(0, row().extra),
    isEmpty: row().isEmpty === 1,
    linker: { used: linked, moderated },
    channel: part(channel).used,
    server: part(server).used,
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
  refuseOver({ ...wanted, amount: bookedAmount(entry) }, measureQuota(bucket, usage, basis));
}
