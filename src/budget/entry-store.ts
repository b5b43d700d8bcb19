import { type Cache, createCache } from "../cache.ts";
import { createBatches, type Database } from "../database/index.ts";
import type { QuotaDay } from "./calendar.ts";
import {
  type CountedChange,
  countTogether,
  limitedPersonOf,
  refuseEntryOver,
  usageOf,
} from "./count-together.ts";
import { readUsage, removeParts } from "./counters.ts";
import {
  type MeasureBasis,
  measureQuota,
  partOf,
  type QuotaMeasure,
  type QuotaUsage,
} from "./measure.ts";
import { createSharingChannels, type QuotaSharing } from "./sharing-channels.ts";
import {
  type AccountHolder,
  amountOfEntry,
  type PartNames,
  type SpendingChange,
  type SpendingEntry,
} from "./spending-entry.ts";
import type { SpendingKind } from "./types.ts";

export interface EntryStoreDeps {
  readonly database: Database;
  /** What applies unless the limits of a spender say otherwise. */
  readonly usual: MeasureBasis["usual"];
  readonly onFailure: (error: unknown) => void;
  /** Under which names a holder's spending of a bucket is counted, today. */
  readonly namesOf: (
    holder: AccountHolder,
    sharing: QuotaSharing | undefined,
    bucket: SpendingKind,
  ) => PartNames;
}

interface BucketDay {
  readonly bucket: SpendingKind;
  readonly day: QuotaDay;
}

/** Clocks differ, so "empty" this soon after midnight may still mean the previous day. */
const graceMs = 5 * 60_000;
const maxPauses = 10_000;
const maxTurns = 1_000;

export type EntryStore = ReturnType<typeof createEntryStore>;

interface StoreState extends EntryStoreDeps {
  readonly sharing: ReturnType<typeof createSharingChannels>;
  /** For buckets that the service called empty soon after midnight: until when they are closed. */
  readonly pauseCache: Cache<number>;
  /** Counts a change along with others; resolves with what refuses it. */
  readonly count: (change: CountedChange) => Promise<unknown>;
  /** The last day on which all parts of earlier days were removed. */
  cleanedOn: string;
}

/** Stores entries in the database. */
export function createEntryStore(deps: EntryStoreDeps) {
  const state: StoreState = {
    ...deps,
    sharing: createSharingChannels(deps.database),
    pauseCache: createCache({ maxSize: maxPauses }),
    count: createTurns(deps.database),
    cleanedOn: "",
  };
  return {
    /**
     * Counts an entry, unless one of its limits has too little left.
     * @throws LimitError; ServiceError `store_unavailable`, `guild_erased`.
     */
    book: (entry: SpendingEntry): Promise<void> => book(state, entry),
    /** Counts an entry, or a change to it, whatever is left. @throws ServiceError `store_unavailable`, `guild_erased`. */
    write: (entry: SpendingEntry, change: SpendingChange): Promise<void> =>
      write(state, entry, change),
    /** @throws ServiceError `store_unavailable`. */
    measure: (
      holder: AccountHolder,
      buckets: readonly SpendingKind[],
      day: QuotaDay,
    ): Promise<(bucket: SpendingKind) => QuotaMeasure> =>
      measureStored(state, { holder, buckets, day }),
    /** Checks an entry against what is known without the database. @throws LimitError */
    judge(entry: SpendingEntry, usage: QuotaUsage): void {
      const { holder, charge, day } = entry;
      refuseEntryOver(entry, usage, basisOf(state, holder, { bucket: charge.bucket, day }));
    },
    measureAlone: (holder: AccountHolder, usage: QuotaUsage, at: BucketDay): QuotaMeasure =>
      measureQuota(at.bucket, usage, basisOf(state, holder, at)),
    /** Called when the service said that the bucket is empty. Returns whether for the rest of the day, or only for some minutes. */
    isEmptyForTheDay({ holder, charge, day }: SpendingEntry): boolean {
      const until = day.startsAt + graceMs;
      if (deps.database.now() >= until) return true;
      state.pauseCache.set(`${holder.project} ${charge.bucket}`, until);
      return false;
    },
  };
}

/**
 * Changes of one project, bucket and day take turns in this process, and go together where several wait, so that they need one
 * connection. SQLite has only one anyway.
 */
function createTurns(database: Database): StoreState["count"] {
  type Count = StoreState["count"];
  const countCache = createCache<Count>({ maxSize: maxTurns });
  const count = (changes: readonly CountedChange[]) => countTogether(database, changes);
  return async (change) => {
    if (database.dialect === "sqlite") return (await count([change]))[0];
    const { holder, charge, day } = change.entry;
    const name = `${holder.project} ${charge.bucket} ${day.name}`;
    const known = countCache.get(name) ?? createBatches(count);
    countCache.set(name, known);
    return known(change);
  };
}

async function count(state: StoreState, change: CountedChange): Promise<void> {
  const refusal = await state.count(change);
  if (refusal !== undefined) throw refusal;
  change.entry.isStored = true;
}

async function book(state: StoreState, entry: SpendingEntry): Promise<void> {
  const basis = await prepare(state, entry);
  await count(state, { entry, change: { amount: amountOfEntry(entry), count: 1 }, basis });
  await removeOldParts(state, entry).catch(state.onFailure);
}

async function write(
  state: StoreState,
  entry: SpendingEntry,
  change: SpendingChange,
): Promise<void> {
  if (entry.serverId === undefined) await prepare(state, entry);
  await count(state, { entry, change });
}

async function measureStored(
  state: StoreState,
  {
    holder,
    buckets,
    day,
  }: {
    readonly holder: AccountHolder;
    readonly buckets: readonly SpendingKind[];
    readonly day: QuotaDay;
  },
): Promise<(bucket: SpendingKind) => QuotaMeasure> {
  const { database, sharing } = state;
  const { project, sharer, billedTo } = holder;
  const serverId = await database.servers.find(billedTo.guildId);
  const shared = sharer && (await sharing.look(project, sharer, day));
  const nameOf = (bucket: SpendingKind) => state.namesOf(holder, shared, bucket);
  const of = { holder, serverId, names: Object.assign({}, ...buckets.map(nameOf)) as PartNames };
  const person = limitedPersonOf(of, buckets);
  const rows = await readUsage(database, {
    project,
    day: day.name,
    buckets,
    people: person ? [person] : [],
    parts: Object.values(of.names),
  });
  return (bucket) => {
    const basis = basisOf(state, holder, { bucket, day, sharing: shared });
    return measureQuota(bucket, usageOf(rows, bucket, of), basis);
  };
}

function basisOf(
  { database, usual, pauseCache }: StoreState,
  { project, billedTo }: AccountHolder,
  { bucket, day, sharing }: BucketDay & { readonly sharing?: QuotaSharing | undefined },
): MeasureBasis {
  const until = pauseCache.get(`${project} ${bucket}`);
  const pausedUntil = until !== undefined && database.now() < until ? until : undefined;
  return { billedTo, day, sharing, usual, pausedUntil };
}

/** Finds the guild's row and the size of the part, outside the transaction, which may be rolled back. */
async function prepare(state: StoreState, entry: SpendingEntry): Promise<MeasureBasis> {
  const { database, sharing } = state;
  const { holder, charge, day } = entry;
  const { bucket } = charge;
  const { project, sharer, billedTo } = holder;
  const serverId = await database.servers.need(billedTo.guildId);
  const shared = sharer && (await sharing.join(project, serverId, sharer, day));
  const basis = basisOf(state, holder, { bucket, day, sharing: shared });
  entry.serverId = serverId;
  entry.part = shared && partOf(bucket, basis, shared);
  entry.names = state.namesOf(holder, shared, bucket);
  return basis;
}

/** What was spent of shared projects on earlier days is not needed any more. */
async function removeOldParts(state: StoreState, { day, names }: SpendingEntry): Promise<void> {
  if (Object.keys(names).length === 0 || state.cleanedOn === day.name) return;
  if (!(await removeParts(state.database, day.name))) state.cleanedOn = day.name;
}
