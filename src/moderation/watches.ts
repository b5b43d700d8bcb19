import { randomUUID } from "node:crypto";
import { nonceOf } from "../channel-messages.ts";
import { InputError } from "../errors.ts";
import { newHandle, recordIdOf } from "../store/index.ts";
import type { GuildWatch, ModerationPartDeps } from "./deps.ts";
import { spentToday } from "./pace/index.ts";
import type { Watch, WatchWithProgress } from "./records/index.ts";
import type { WatchChange, WatchChoice, WatchPlace, WatchStatus } from "./types.ts";
import {
  announceQueue,
  pollQueue,
  startWatchJobs,
  type WatchRef,
  watchJobKey,
} from "./watch-jobs.ts";

/** Each watch takes its part of the day's quota units. */
const maxWatches = 10;

export type Watches = ReturnType<typeof createWatches>;

interface WatchesDeps extends ModerationPartDeps {
  /** Called when a watch was added, changed or removed. */
  readonly onChange: () => void;
}

export function createWatches(deps: WatchesDeps, guildId: string) {
  const { watches } = deps.records;
  return {
    all: () => watches.readAll(guildId),
    /**
     * Adds a watch or changes the existing one: each Discord channel has one watch. If the linked channel differs, the old
     * watch is removed and a new one added, so that none of its comments stay in the queue.
     * @throws InputError `too_many_watches`; what `change` throws.
     */
    put: (place: WatchPlace, change: WatchChange<Watch | undefined>, by: string) =>
      putWatch(deps, guildId, { place, change, by }),
    /** Polls at once. Undefined if there is no such watch. @throws what `make` throws. */
    change: async (id: string, make: WatchChange) =>
      isId(id) ? changeWatch(deps, { guildId, watchId: id }, make) : undefined,
    /** Removes a watch and its queue; returns whether it existed. */
    async remove(id: string): Promise<boolean> {
      if (!isId(id) || !(await removeWatch(deps, guildId, id))) return false;
      deps.onChange();
      return true;
    },
    async pause(id: string, by: string): Promise<Watch | undefined> {
      if (!isId(id)) return undefined;
      const paused = { at: deps.database.now(), by };
      const watch = await watches.change(guildId, id, (stored) =>
        stored === undefined || stored.paused ? stored : { ...stored, paused },
      );
      deps.onChange();
      return watch;
    },
    /** Ends the pause and polls at once. */
    resume: async (id: string) => (isId(id) ? resumeWatch(deps, guildId, id) : undefined),
    /** Posts a sample card in the watch's channel. @throws what `ChannelMessages.post` throws. */
    async test(id: string, by: string): Promise<void> {
      const watch = isId(id) ? await watches.read(guildId, id) : undefined;
      if (watch !== undefined) await postSample(deps, { guildId, watch }, by);
    },
    async status(id: string): Promise<WatchStatus | undefined> {
      if (!isId(id)) return undefined;
      const [known, waiting] = await Promise.all([
        watches.readWithProgress(guildId, id),
        deps.records.comments.count(guildId, { watchId: id, statuses: ["open", "later"] }),
      ]);
      return known && statusOf(deps, guildId, { ...known, waiting });
    },
  };
}

interface NewWatch {
  readonly place: WatchPlace;
  readonly change: WatchChange<Watch | undefined>;
  readonly by: string;
}

async function putWatch(deps: WatchesDeps, guildId: string, wanted: NewWatch): Promise<Watch> {
  const { watch, former } = await deps.database.transaction(() =>
    writeWatch(deps, guildId, wanted),
  );
  for (const { id } of former) await removeWatch(deps, guildId, id);
  deps.onChange();
  return watch;
}

async function writeWatch(deps: WatchesDeps, guildId: string, { place, change, by }: NewWatch) {
  const { database, records } = deps;
  const { channelId, isForum, source } = place;
  const all = await records.watches.lockAll(guildId);
  const here = all.filter((one) => one.channelId === channelId);
  // Those before the last one are about to be removed.
  const last = here.at(-1);
  const same = last?.source === source ? last : undefined;
  if (here.length === 0 && all.length >= maxWatches) throw tooManyWatches();
  const { id, addedBy, addedAt } = same ?? {
    ...{ id: recordIdOf(randomUUID(), 16), addedBy: by },
    addedAt: Math.max(database.now(), (last?.addedAt ?? 0) + 1),
  };
  const paused = last?.paused;
  const watch: Watch = {
    ...onlyChoice(change(last)),
    ...{ id, channelId, source, addedBy, addedAt },
    ...(isForum && { isForum }),
    ...(paused && { paused }),
  };
  await records.watches.change(guildId, id, () => watch);
  await restartJobs(deps, { guildId, watchId: id });
  return { watch, former: here.filter((one) => one !== same) };
}

/** Changes a stored watch, and polls at once. */
async function changeWatch(
  deps: WatchesDeps,
  { guildId, watchId }: WatchRef,
  make: WatchChange,
): Promise<Watch | undefined> {
  const watch = await deps.database.transaction(async () => {
    const changed = await deps.records.watches.change(guildId, watchId, (stored) => {
      if (stored === undefined) return undefined;
      const { match: _, ping: __, ...rest } = stored;
      return { ...rest, ...onlyChoice(make(stored)) };
    });
    if (changed !== undefined) await restartJobs(deps, { guildId, watchId });
    return changed;
  });
  deps.onChange();
  return watch;
}

/** Leaves out the rest of a watch. */
function onlyChoice({ states, match, paceMs, digestFrom, ping }: WatchChoice): WatchChoice {
  return { states, ...(match && { match }), paceMs, digestFrom, ...(ping && { ping }) };
}

/** Polls at once, and forgets earlier failures and the waits they caused. */
async function restartJobs({ records, jobs }: WatchesDeps, ref: WatchRef): Promise<void> {
  await records.watches.changeProgress(ref.guildId, ref.watchId, (stored) => {
    const { nextPollAt, failedPolls, failedPosts, failedDraws, postAt, drawAt, ...rest } = stored;
    return rest;
  });
  await startWatchJobs(jobs, ref);
}

async function removeWatch(
  { records, jobs }: WatchesDeps,
  guildId: string,
  watchId: string,
): Promise<boolean> {
  const wasThere = await records.watches.remove(guildId, watchId);
  // A job that runs in this process is stopped; one in another process finds no watch and ends.
  for (const queue of [pollQueue, announceQueue]) {
    await jobs.remove(queue, watchJobKey({ guildId, watchId }));
  }
  return wasThere;
}

async function resumeWatch(
  deps: WatchesDeps,
  guildId: string,
  watchId: string,
): Promise<Watch | undefined> {
  const watch = await deps.database.transaction(async () => {
    const resumed = await deps.records.watches.change(guildId, watchId, (stored) => {
      if (stored === undefined) return undefined;
      const { paused: _, ...rest } = stored;
      return rest;
    });
    if (resumed !== undefined) await restartJobs(deps, { guildId, watchId });
    return resumed;
  });
  deps.onChange();
  return watch;
}

async function postSample(
  { channelMessages }: WatchesDeps,
  { guildId, watch }: GuildWatch,
  by: string,
): Promise<void> {
  const handle = newHandle();
  await channelMessages.post({
    ...{ guildId, channelId: watch.channelId, handle },
    ...(watch.isForum && { isForum: true }),
    ...(!watch.mayBePublic && { isConfidential: true }),
    ...{ name: "watch-sample", facts: { guildId, watch, by } },
    nonce: nonceOf(watch.id, "sample", handle),
  });
}

interface StatusOptions extends WatchWithProgress {
  /** How many comments wait for people, and how long. */
  readonly waiting: Pick<WatchStatus, "oldestAt"> & { readonly count: number };
}

async function statusOf(
  { database, pace }: WatchesDeps,
  guildId: string,
  { watch, progress, waiting }: StatusOptions,
): Promise<WatchStatus> {
  const turnOf = await pace.turnOf(guildId, watch).catch(() => undefined);
  const turn = turnOf?.(progress);
  const { polledAt, troubles } = progress;
  const isPolled = polledAt !== undefined && watch.paused === undefined;
  return {
    ...{ watch, polledAt, troubles, waiting: waiting.count, oldestAt: waiting.oldestAt },
    // A watch that was just resumed is polled now.
    nextPollAt: isPolled ? (progress.nextPollAt ?? database.now()) : undefined,
    paceMs: Math.round(turn?.inMs ?? watch.paceMs),
    slowedBy: turn?.slowedBy,
    unitsADay: turn?.unitsADay ?? 0,
    unitsToday: spentToday(progress, database.now()),
  };
}

function isId(id: string): boolean {
  return /^[0-9a-f]{16}$/.test(id);
}

function tooManyWatches(): InputError {
  return new InputError(`more than ${maxWatches} watches`, {
    code: "too_many_watches",
    facts: { most: maxWatches },
  });
}
