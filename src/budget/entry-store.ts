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
  type UsageOf,
} from "./counters.ts";
import {
  type AccountHolder,
  amountOf,
  keyOf,
  type SpendingChange,
  type SpendingEntry,
} from "./entry.ts";
import { guildPart, type Measure, type Measuring, measure, type Usage } from "./measure.ts";
import { borrowedOf, type PartUse } from "./parts.ts";
import { refuseOver } from "./refuse.ts";
import { createSharingServers } from "./sharing-servers.ts";
import type { Spendable } from "./types.ts";

export interface EntryStoreDeps {
  readonly database: Database;
  /** What holds where nobody's limits say otherwise. */
  readonly usual: Measuring["usual"];
  readonly onFailure: (error: unknown) => void;
}

interface BucketDay {
  readonly bucket: Spendable;
  readonly day: QuotaDay;
}

/** The service's clock is not ours: an emptiness told this soon after midnight may still be that of the day before. */
const graceMs = 5 * 60_000;
const mostPauses = 10_000;

export type EntryStore = ReturnType<typeof createEntryStore>;

interface StoreState extends EntryStoreDeps {
  readonly sharing: ReturnType<typeof createSharingServers>;
  /** Until when a bucket is closed that was called empty soon after midnight. */
  readonly pauseCache: Cache<number>;
  /** The last day on which all former parts were removed. */
  cleanedOn: string;
}

/** Entries in the database. */
export function createEntryStore(deps: EntryStoreDeps) {
  const state: StoreState = {
    ...deps,
    sharing: createSharingServers(deps.database),
    pauseCache: createCache({ maxSize: mostPauses }),
    cleanedOn: "",
  };
  return {
    /**
     * Counts an entry, unless something that limits it has too little left.
     * @throws LimitError; ServiceError `store_unavailable`, `guild_erased`.
     */
    book: (entry: SpendingEntry): Promise<void> => book(state, entry),
    /** Counts it, or what changes about it, whatever is left. @throws ServiceError `store_unavailable`, `guild_erased`. */
    write: (entry: SpendingEntry, change: SpendingChange): Promise<void> =>
      write(state, entry, change),
    /** @throws ServiceError `store_unavailable`. */
    measure: (
      holder: AccountHolder,
      buckets: readonly Spendable[],
      day: QuotaDay,
    ): Promise<(bucket: Spendable) => Measure> => measureStored(state, { holder, buckets, day }),
    /** Against what is known without the database. @throws LimitError */
    judge(entry: SpendingEntry, usage: Usage): void {
      const { holder, charge, day } = entry;
      judgeBy(entry, usage, measuring(state, holder, { bucket: charge.bucket, day }));
    },
    measureAlone: (holder: AccountHolder, usage: Usage, at: BucketDay): Measure =>
      measure(at.bucket, usage, measuring(state, holder, at)),
    /** The service called it empty; answers whether that holds for the rest of the day, or only for some minutes. */
    isEmptyForTheDay({ holder, charge, day }: SpendingEntry): boolean {
      const until = day.startsAt + graceMs;
      if (deps.database.now() >= until) return true;
      state.pauseCache.set(`${holder.project} ${charge.bucket}`, until);
      return false;
    },
  };
}

async function book(state: StoreState, entry: SpendingEntry): Promise<void> {
  const on = await prepare(state, entry);
  await state.database.transaction(async () => {
    const usage = await readLocked(state, entry);
    judgeBy(entry, usage, on);
    await record(state, entry, { amount: amountOf(entry), count: 1 }, usage.guild);
  });
  entry.isStored = true;
  await removeFormerParts(state, entry).catch(state.onFailure);
}

async function write(
  state: StoreState,
  entry: SpendingEntry,
  change: SpendingChange,
): Promise<void> {
  if (entry.serverId === undefined) await prepare(state, entry);
  await state.database.transaction(async () => {
    const usage = entry.guildPart === undefined ? undefined : await readLocked(state, entry);
    await record(state, entry, change, usage?.guild);
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
    readonly buckets: readonly Spendable[];
    readonly day: QuotaDay;
  },
): Promise<(bucket: Spendable) => Measure> {
  const { database, sharing } = state;
  const { guildId, limits } = holder.billedTo;
  const serverId = await database.servers.find(guildId);
  const servers = limits?.isShared ? await sharing.count(holder.project, serverId, day) : 1;
  const usage = await readUsage(database, buckets, usageOf(holder, buckets, { day, serverId }));
  return (bucket) =>
    measure(bucket, usage(bucket), measuring(state, holder, { bucket, day, servers }));
}

function measuring(
  { database, usual, pauseCache }: StoreState,
  { project, billedTo }: AccountHolder,
  { bucket, day, servers = 1 }: BucketDay & { readonly servers?: number },
): Measuring {
  const until = pauseCache.get(`${project} ${bucket}`);
  const pausedUntil = until !== undefined && database.now() < until ? until : undefined;
  return { billedTo, day, servers, usual, pausedUntil };
}

/** Whose rows they are, and how large the guild's part is: not within the transaction, which may be undone. */
async function prepare(state: StoreState, entry: SpendingEntry): Promise<Measuring> {
  const { database, sharing } = state;
  const { holder, charge, day } = entry;
  const { bucket } = charge;
  const { guildId, limits } = holder.billedTo;
  const serverId = await database.servers.need(guildId);
  const servers = limits?.isShared ? await sharing.join(holder.project, serverId, day) : 1;
  const on = measuring(state, holder, { bucket, day, servers });
  entry.serverId = serverId;
  entry.guildPart = servers > 1 ? guildPart(bucket, on) : undefined;
  return on;
}

async function readLocked({ database }: StoreState, entry: SpendingEntry): Promise<Usage> {
  const { holder, charge, day, serverId } = entry;
  const of = usageOf(holder, [charge.bucket], { day, serverId });
  await lockUsage(database, charge.bucket, of);
  return (await readUsage(database, [charge.bucket], of))(charge.bucket);
}

async function record(
  { database }: StoreState,
  entry: SpendingEntry,
  change: SpendingChange,
  before?: PartUse,
): Promise<void> {
  const { holder, charge, serverId } = entry;
  const { project, part, billedTo } = holder;
  const { bucket } = charge;
  const key = keyOf(entry, serverId as number); // `prepare` came before
  await (entry.isStored ? correctSpending : addSpending)(database, key, change);
  if (bucket === "credits") return;
  const moderated = billedTo.purpose === "moderation" ? change.amount : 0;
  const added = { used: change.amount, moderated };
  const at = { day: entry.day.name, bucket };
  const lent = lentBy(entry, before, added);
  await addQuota(database, { ...at, project }, { ...change, lent });
  if (part !== undefined) await addPart(database, { ...at, part }, added);
}

/** What guilds spent of shared projects on former days is nobody's business any more. */
async function removeFormerParts(state: StoreState, { day, holder }: SpendingEntry): Promise<void> {
  if (holder.part === undefined || state.cleanedOn === day.name) return;
  if (!(await removeParts(state.database, day.name))) state.cleanedOn = day.name;
}

function judgeBy(entry: SpendingEntry, usage: Usage, on: Measuring): void {
  const { holder, charge } = entry;
  const { method, bucket } = charge;
  const { purpose, isSpare } = holder.billedTo;
  const wanted = { method, bucket, isModeration: purpose === "moderation", isSpare };
  refuseOver({ ...wanted, amount: amountOf(entry) }, measure(bucket, usage, on));
}

function usageOf(
  { project, part, billedTo }: AccountHolder,
  buckets: readonly Spendable[],
  { day, serverId }: Pick<SpendingEntry, "day" | "serverId">,
): UsageOf {
  const { userId, limits } = billedTo;
  const isLimited = buckets.some((bucket) => limits?.budgets?.[bucket] !== undefined);
  const person = isLimited && serverId !== undefined ? { serverId, userId } : undefined;
  return { project, day: day.name, part, person };
}

/** How much of it goes beyond the guild's own part. */
function lentBy(
  { guildPart: part }: SpendingEntry,
  before: PartUse | undefined,
  added: PartUse,
): number {
  if (part === undefined || before === undefined) return 0;
  const used = before.used + added.used;
  const moderated = before.moderated + added.moderated;
  return borrowedOf(part, { used, moderated }) - borrowedOf(part, before);
}
