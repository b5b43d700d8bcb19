import { createCache } from "../cache.ts";
import { createBatches, type Database } from "../database/index.ts";
import type { QuotaDay } from "./calendar.ts";
import {
  type CountedChange,
  countTogether,
  findLimitedPerson,
  pickUsage,
  refuseEntryOver,
} from "./count-together.ts";
import { readUsage, removeParts } from "./counters.ts";
import {
  type MeasureBasis,
  measurePart,
  measureQuota,
  type QuotaMeasure,
  type QuotaUsage,
} from "./measure.ts";
import { createSharingChannels, type QuotaSharing } from "./sharing-channels.ts";
import {
  type AccountHolder,
  bookedAmount,
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
  readonly namesFor: (
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

export function createEntryStore({ database, usual, onFailure, namesFor }: EntryStoreDeps) {
  const sharing = createSharingChannels(database);
  /** For buckets that YouTube called empty soon after midnight: until when they are closed. */
  const pauseCache = createCache<number>({ maxSize: maxPauses });
  const countInTurn = createTurns(database);
  /** The last day on which all parts of earlier days were removed. */
  let cleanedOn = "";

  function basisFor(
    { project, billedTo }: AccountHolder,
    { bucket, day }: BucketDay,
    shared?: QuotaSharing,
  ): MeasureBasis {
    const until = pauseCache.get(`${project} ${bucket}`);
    const pausedUntil = until !== undefined && database.now() < until ? until : undefined;
    return { billedTo, day, sharing: shared, usual, pausedUntil };
  }

  /** Finds the server's row and the size of the part, outside the transaction, which may be rolled back. */
  async function prepare(entry: SpendingEntry): Promise<MeasureBasis> {
    const { holder, day } = entry;
    const { bucket } = entry.charge;
    const { project, sharer, billedTo } = holder;
    const serverId = await database.servers.need(billedTo.guildId);
    const shared = sharer && (await sharing.join(project, serverId, sharer, day));
    const basis = basisFor(holder, { bucket, day }, shared);
    entry.serverId = serverId;
    entry.part = shared && measurePart(bucket, basis, shared);
    entry.names = namesFor(holder, shared, bucket);
    return basis;
  }

  async function count(change: CountedChange): Promise<void> {
    const refused = await countInTurn(change);
    if (refused !== undefined) throw refused;
    change.entry.isStored = true;
  }

  return {
    /**
     * Counts an entry, unless one of its limits has too little left.
     * @throws LimitError; ServiceError `store_unavailable`, `guild_erased`.
     */
    async book(entry: SpendingEntry): Promise<void> {
      const basis = await prepare(entry);
      await count({ entry, change: { amount: bookedAmount(entry), count: 1 }, basis });
      // What was spent of shared projects on earlier days is not needed any more.
      const { day, names } = entry;
      if (Object.keys(names).length === 0 || cleanedOn === day.name) return;
      try {
        if (!(await removeParts(database, day.name))) cleanedOn = day.name;
      } catch (error) {
        onFailure(error);
      }
    },
    /** Counts an entry, or a change to it, whatever is left. @throws ServiceError `store_unavailable`, `guild_erased`. */
    async write(entry: SpendingEntry, change: SpendingChange): Promise<void> {
      if (entry.serverId === undefined) await prepare(entry);
      await count({ entry, change });
    },
    /** @throws ServiceError `store_unavailable`. */
    async measure(
      holder: AccountHolder,
      buckets: readonly SpendingKind[],
      day: QuotaDay,
    ): Promise<(bucket: SpendingKind) => QuotaMeasure> {
      const { project, sharer, billedTo } = holder;
      const serverId = await database.servers.find(billedTo.guildId);
      const shared = sharer && (await sharing.look(project, sharer, day));
      const named = buckets.map((bucket) => namesFor(holder, shared, bucket));
      const of = { holder, serverId, names: Object.assign({}, ...named) as PartNames };
      const person = findLimitedPerson(of, buckets);
      const rows = await readUsage(database, {
        project,
        day: day.name,
        buckets,
        people: person ? [person] : [],
        parts: Object.values(of.names),
      });
      return (bucket) =>
        measureQuota(
          bucket,
          pickUsage(rows, bucket, of),
          basisFor(holder, { bucket, day }, shared),
        );
    },
    /** Checks an entry against what is known without the database. @throws LimitError */
    judge(entry: SpendingEntry, usage: QuotaUsage): void {
      const { holder, charge, day } = entry;
      refuseEntryOver(entry, usage, basisFor(holder, { bucket: charge.bucket, day }));
    },
    measureAlone: (holder: AccountHolder, usage: QuotaUsage, at: BucketDay): QuotaMeasure =>
      measureQuota(at.bucket, usage, basisFor(holder, at)),
    /** Called when YouTube said that the bucket is empty. Returns whether for the rest of the day, or only for some minutes. */
    isEmptyForTheDay({ holder, charge, day }: SpendingEntry): boolean {
      const until = day.startsAt + graceMs;
      if (database.now() >= until) return true;
      pauseCache.set(`${holder.project} ${charge.bucket}`, until);
      return false;
    },
  };
}

/**
 * Counts a change, and resolves with what refuses it. Changes of one project, bucket and day take turns in this process, and go
 * together where several wait, so that they need one connection. SQLite has only one anyway.
 */
function createTurns(database: Database): (change: CountedChange) => Promise<unknown> {
  const count = (changes: readonly CountedChange[]) => countTogether(database, changes);
  const countCache = createCache<(change: CountedChange) => Promise<unknown>>({
    maxSize: maxTurns,
  });
  return async (change) => {
    if (database.dialect === "sqlite") return (await count([change]))[0];
    const { holder, charge, day } = change.entry;
    const name = `${holder.project} ${charge.bucket} ${day.name}`;
    const known = countCache.get(name) ?? createBatches(count);
    countCache.set(name, known);
    return known(change);
  };
}
