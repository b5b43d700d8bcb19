import { type Cache, createCache } from "../cache.ts";
import type { Database } from "../database/index.ts";
import type { QuotaDay } from "./calendar.ts";
import {
  addPart,
  addQuota,
  addSpending,
  correctSpending,
  lockUsage,
  readUsage,
  removeParts,
  type UsageQuery,
} from "./counters.ts";
import {
  type MeasureBasis,
  measureQuota,
  partOf,
  type QuotaMeasure,
  type QuotaUsage,
} from "./measure.ts";
import { borrowedOf, type PartUsage } from "./quota-parts.ts";
import { refuseOver } from "./refuse-over.ts";
import { createSharingChannels, type QuotaSharing } from "./sharing-channels.ts";
import {
  type AccountHolder,
  amountOfEntry,
  type PartNames,
  type SpendingChange,
  type SpendingEntry,
  spendingKeyOf,
} from "./spending-entry.ts";
import type { SpendingKind } from "./types.ts";

export interface EntryStoreDeps {
  readonly database: Database;
  /** What applies unless the limits of a spender say otherwise. */
  readonly usual: MeasureBasis["usual"];
  readonly onFailure: (error: unknown) => void;
  /** Under which names a holder's spending is counted, today. */
  readonly namesOf: (holder: AccountHolder, sharing: QuotaSharing | undefined) => PartNames;
}

interface BucketDay {
  readonly bucket: SpendingKind;
  readonly day: QuotaDay;
}

/** Clocks differ, so "empty" this soon after midnight may still mean the previous day. */
const graceMs = 5 * 60_000;
const maxPauses = 10_000;

export type EntryStore = ReturnType<typeof createEntryStore>;

interface StoreState extends EntryStoreDeps {
  readonly sharing: ReturnType<typeof createSharingChannels>;
  /** For buckets that the service called empty soon after midnight: until when they are closed. */
  readonly pauseCache: Cache<number>;
  /** The last day on which all parts of earlier days were removed. */
  cleanedOn: string;
}

/** Stores entries in the database. */
export function createEntryStore(deps: EntryStoreDeps) {
  const state: StoreState = {
    ...deps,
    sharing: createSharingChannels(deps.database),
    pauseCache: createCache({ maxSize: maxPauses }),
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

async function book(state: StoreState, entry: SpendingEntry): Promise<void> {
  const basis = await prepare(state, entry);
  await state.database.transaction(async () => {
    const usage = await readLocked(state, entry);
    refuseEntryOver(entry, usage, basis);
    await record(state, entry, { amount: amountOfEntry(entry), count: 1 }, usage.linker);
  });
  entry.isStored = true;
  await removeOldParts(state, entry).catch(state.onFailure);
}

async function write(
  state: StoreState,
  entry: SpendingEntry,
  change: SpendingChange,
): Promise<void> {
  if (entry.serverId === undefined) await prepare(state, entry);
  await state.database.transaction(async () => {
    const usage = entry.part === undefined ? undefined : await readLocked(state, entry);
    await record(state, entry, change, usage?.linker);
  });
  entry.isStored = true;
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
  const names = state.namesOf(holder, shared);
  const of = usageOf(holder, buckets, { day, serverId, names });
  const usage = await readUsage(database, buckets, of);
  return (bucket) =>
    measureQuota(bucket, usage(bucket), basisOf(state, holder, { bucket, day, sharing: shared }));
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
  entry.names = state.namesOf(holder, shared);
  return basis;
}

async function readLocked({ database }: StoreState, entry: SpendingEntry): Promise<QuotaUsage> {
  const { holder, charge } = entry;
  const of = usageOf(holder, [charge.bucket], entry);
  await lockUsage(database, charge.bucket, of);
  return (await readUsage(database, [charge.bucket], of))(charge.bucket);
}

async function record(
  { database }: StoreState,
  entry: SpendingEntry,
  change: SpendingChange,
  before?: PartUsage,
): Promise<void> {
  const { holder, charge, serverId, names } = entry;
  const { project, billedTo } = holder;
  const { bucket } = charge;
  const key = spendingKeyOf(entry, serverId as number); // `prepare` came before
  await (entry.isStored ? correctSpending : addSpending)(database, key, change);
  if (bucket === "credits") return;
  const moderated = billedTo.purpose === "moderation" ? change.amount : 0;
  const added = { used: change.amount, moderated };
  const at = { day: entry.day.name, bucket };
  const lent = lentBy(entry, before, added);
  await addQuota(database, { ...at, project }, { ...change, lent });
  for (const part of Object.values(names)) await addPart(database, { ...at, part }, added);
}

/** What was spent of shared projects on earlier days is not needed any more. */
async function removeOldParts(state: StoreState, { day, names }: SpendingEntry): Promise<void> {
  if (Object.keys(names).length === 0 || state.cleanedOn === day.name) return;
  if (!(await removeParts(state.database, day.name))) state.cleanedOn = day.name;
}

function refuseEntryOver(entry: SpendingEntry, usage: QuotaUsage, basis: MeasureBasis): void {
  const { holder, charge } = entry;
  const { method, bucket } = charge;
  const { purpose, isSpare, limits } = holder.billedTo;
  const isShared = limits?.sharer !== undefined;
  const wanted = { method, bucket, isModeration: purpose === "moderation", isSpare, isShared };
  refuseOver({ ...wanted, amount: amountOfEntry(entry) }, measureQuota(bucket, usage, basis));
}

function usageOf(
  { project, billedTo }: AccountHolder,
  buckets: readonly SpendingKind[],
  { day, serverId, names }: Pick<SpendingEntry, "day" | "serverId" | "names">,
): UsageQuery {
  const { userId, limits } = billedTo;
  const isLimited = buckets.some((bucket) => limits?.budgets?.[bucket] !== undefined);
  const person = isLimited && serverId !== undefined ? { serverId, userId } : undefined;
  return { project, day: day.name, names, person };
}

/** How much of the change is borrowed beyond the own part. */
function lentBy({ part }: SpendingEntry, before: PartUsage | undefined, added: PartUsage): number {
  if (part === undefined || before === undefined) return 0;
  const used = before.used + added.used;
  const moderated = before.moderated + added.moderated;
  return borrowedOf(part, { used, moderated }) - borrowedOf(part, before);
}
