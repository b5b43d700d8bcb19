import { randomUUID } from "node:crypto";
import { nonceOf } from "../channel-messages.ts";
import { InputError } from "../errors.ts";
import { newHandle, recordIdOf } from "../store/index.ts";
import type { GuildWatch, ModerationPartDeps } from "./deps.ts";
import { countMessages, deleteMessages, endWatch } from "./end/index.ts";
import { spentToday } from "./pace/index.ts";
import type { Watch, WatchWithProgress } from "./records/index.ts";
import type { WatchChange, WatchChoice, WatchPlace, WatchStatus } from "./types.ts";
import { startWatchJobs, type WatchRef } from "./watch-jobs.ts";

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
     * watch is removed and a new one added, so that none of its comments stay in the queue. `change` gets the watch that is
     * there, and the others of the server, which can't change meanwhile.
     * @throws InputError `too_many_watches`; what `change` throws.
     */
    put: (place: WatchPlace, change: NewWatch["change"], by: string) =>
      putWatch(deps, guildId, { place, change, by }),
    /** Polls at once. Undefined if there is no such watch. @throws what `make` throws. */
    change: async (id: string, make: WatchChange) =>
      isId(id) ? changeWatch(deps, { guildId, watchId: id }, make) : undefined,
    /** Ends a watch: its messages are closed, and its queue is removed. Returns whether it was there. */
    async remove(id: string): Promise<boolean> {
      if (!isId(id) || !(await endWatch(deps, { guildId, watchId: id }))) return false;
      deps.onChange();
      return true;
    },
    /** How many of its messages could be deleted. */
    countMessages: (id: string) => countMessages(deps.records, { guildId, watchId: id }),
    /** Lets a job delete the messages of a watch that has ended; false if that is too long ago. */
    deleteMessages: async (id: string) =>
      isId(id) && deleteMessages(deps, { guildId, watchId: id }),
    /**
     * Adds a watch that goes on with what another one of the same linked channel has: its settings and its waiting
     * comments. The other one ends. Undefined if it has ended already. @throws InputError `too_many_watches`.
     */
    move: (id: string, to: MoveTarget, by: string) => moveWatch(deps, guildId, { id, to, by }),
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
        deps.records.comments.countWaiting(guildId, id),
      ]);
      return known && statusOf(deps, guildId, { ...known, waiting });
    },
  };
}

interface NewWatch {
  readonly place: WatchPlace;
  readonly change: (
    stored: Watch | undefined,
    others: readonly Watch[],
  ) => ReturnType<WatchChange<Watch | undefined>>;
  readonly by: string;
  /** The watch that it replaces. */
  readonly over?: string;
}

async function putWatch(deps: WatchesDeps, guildId: string, wanted: NewWatch): Promise<Watch> {
  const { watch, former } = await deps.database.transaction(() =>
    writeWatch(deps, guildId, wanted),
  );
  for (const { id } of former) await endWatch(deps, { guildId, watchId: id });
  deps.onChange();
  return watch;
}

async function writeWatch(
  deps: WatchesDeps,
  guildId: string,
  { place, change, by, over }: NewWatch,
) {
  const { database, records } = deps;
  const { channelId, isForum, source } = place;
  const known = await records.watches.lockAll(guildId);
  const all = known.filter(({ id }) => id !== over);
  const here = all.filter((one) => one.channelId === channelId);
  // There are several only while earlier ones are about to be removed.
  const last = here.at(-1);
  const same = last?.source === source ? last : undefined;
  if (here.length === 0 && all.length >= maxWatches) throw tooManyWatches();
  const { id, addedBy, addedAt } = same ?? {
    id: recordIdOf(randomUUID(), 16),
    addedBy: by,
    addedAt: Math.max(database.now(), (last?.addedAt ?? 0) + 1),
  };
  const paused = (last ?? known.find((one) => one.id === over))?.paused;
  const watch: Watch = {
    ...onlyChoice(
      change(
        last,
        all.filter((one) => one !== last),
      ),
    ),
    id,
    channelId,
    source,
    addedBy,
    addedAt,
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
function onlyChoice(all: WatchChoice): WatchChoice {
  const { states, match, paceMs, digestFrom, ping, mayBePublic } = all;
  return {
    states,
    paceMs,
    digestFrom,
    ...(match && { match }),
    ...(ping && { ping }),
    ...(mayBePublic && { mayBePublic }),
  };
}

/** Polls at once, and forgets earlier failures and the waits they caused. */
async function restartJobs({ records, jobs }: WatchesDeps, ref: WatchRef): Promise<void> {
  await records.watches.changeProgress(ref.guildId, ref.watchId, (stored) => {
    const { nextPollAt, failedPolls, failedPosts, failedDraws, postAt, drawAt, ...rest } = stored;
    return rest;
  });
  await startWatchJobs(jobs, ref);
}

/** The Discord channel of a watch. */
type MoveTarget = Pick<Watch, "channelId" | "isForum" | "mayBePublic">;

interface MovedWatch {
  readonly id: string;
  readonly to: MoveTarget;
  readonly by: string;
}

async function moveWatch(
  deps: WatchesDeps,
  guildId: string,
  { id, to, by }: MovedWatch,
): Promise<Watch | undefined> {
  const { channelId, isForum, mayBePublic } = to;
  const moved = await deps.database.transaction(async () => {
    const before = await deps.records.watches.read(guildId, id);
    if (before === undefined) return undefined;
    const { mayBePublic: _, ...choice } = before;
    const { watch, former } = await writeWatch(deps, guildId, {
      place: { channelId, ...(isForum && { isForum }), source: before.source },
      change: () => ({ ...choice, ...(mayBePublic && { mayBePublic }) }),
      by,
      over: id,
    });
    await endWatch(deps, { guildId, watchId: id }, { movedTo: { watchId: watch.id, channelId } });
    for (const one of former) await endWatch(deps, { guildId, watchId: one.id });
    return watch;
  });
  deps.onChange();
  return moved;
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
    guildId,
    channelId: watch.channelId,
    handle,
    ...(watch.isForum && { isForum: true }),
    ...(!watch.mayBePublic && { isConfidential: true }),
    name: "watch-sample",
    facts: { guildId, watch, by },
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
    watch,
    polledAt,
    troubles,
    waiting: waiting.count,
    oldestAt: waiting.oldestAt,
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
