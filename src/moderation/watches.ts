import { randomUUID } from "node:crypto";
import { nonceOf } from "../desk.ts";
import { InputError } from "../errors.ts";
import { newHandle, rowIdOf } from "../store/index.ts";
import { spentToday } from "./pace/index.ts";
import type { PartOptions, QueueAt } from "./parts.ts";
import type { Watch, WatchAt } from "./records/index.ts";
import { checkedMatches } from "./rules/index.ts";
import type { WatchSetting, WatchStatus } from "./types.ts";
import { announceQueue, keyOf, pollQueue, startWatchJobs, type WatchRef } from "./watch-jobs.ts";

/** Each costs its part of the day's units. */
const maxWatches = 10;

export type Watches = ReturnType<typeof createWatches>;

interface WatchesDeps extends PartOptions {
  /** What the watches of all guilds poll for has changed. */
  readonly onChange: () => void;
}

/** The watches of one guild. */
export function createWatches(deps: WatchesDeps, guildId: string) {
  const { watches } = deps.records;
  return {
    all: () => watches.all(guildId),
    /**
     * Begins to watch, or changes what is watched in that channel of Discord's: there is one watch a channel. One about another
     * linked channel is another watch: nothing of the former one's can get into its queue.
     * @throws InputError `too_many_watches`.
     */
    put: (setting: WatchSetting, by: string) => put(deps, guildId, { setting, by }),
    /** Its queue goes with it; answers whether it was there. */
    async remove(id: string): Promise<boolean> {
      if (!isId(id) || !(await remove(deps, guildId, id))) return false;
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
    /** Looks at once. */
    resume: async (id: string) => (isId(id) ? resume(deps, guildId, id) : undefined),
    /** Leaves a sample card where the watch leaves its cards. @throws what `Desk.post` throws. */
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

interface Setting {
  readonly setting: WatchSetting;
  readonly by: string;
}

async function put(deps: WatchesDeps, guildId: string, { setting, by }: Setting): Promise<Watch> {
  if (setting.match !== undefined) {
    await checkedMatches(deps.engine, guildId, { wanted: setting.match, texts: [] });
  }
  const { watch, former } = await deps.database.transaction(() =>
    write(deps, guildId, { setting, by }),
  );
  for (const { id } of former) await remove(deps, guildId, id);
  deps.onChange();
  return watch;
}

async function write(deps: WatchesDeps, guildId: string, { setting, by }: Setting) {
  const { database, records } = deps;
  const all = await records.watches.lockAll(guildId);
  const here = all.filter(({ channelId }) => channelId === setting.channelId);
  const same = here.find(({ source }) => source === setting.source);
  if (here.length === 0 && all.length >= maxWatches) throw tooMany();
  const { id, addedBy, addedAt } = same ?? {
    ...{ id: rowIdOf(randomUUID(), 16), addedBy: by, addedAt: database.now() },
  };
  const paused = here.at(-1)?.paused;
  const watch = { ...setting, id, addedBy, addedAt, ...(paused && { paused }) };
  await records.watches.change(guildId, id, () => watch);
  await beginAnew(deps, { guildId, watchId: id });
  return { watch, former: here.filter((one) => one !== same) };
}

/** Its next poll does not wait for the plan, and nothing for another try. */
async function beginAnew({ records, jobs }: WatchesDeps, ref: WatchRef): Promise<void> {
  await records.watches.changeProgress(ref.guildId, ref.watchId, (stored) => {
    const { nextPollAt, failedPolls, failedPosts, failedDraws, postAt, drawAt, ...rest } = stored;
    return rest;
  });
  await startWatchJobs(jobs, ref);
}

async function remove(
  { records, jobs }: WatchesDeps,
  guildId: string,
  watchId: string,
): Promise<boolean> {
  const wasThere = await records.watches.remove(guildId, watchId);
  // What is under way here ends; in other processes it finds nothing any more.
  for (const queue of [pollQueue, announceQueue]) {
    await jobs.remove(queue, keyOf({ guildId, watchId }));
  }
  return wasThere;
}

async function resume(
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
    if (resumed !== undefined) await beginAnew(deps, { guildId, watchId });
    return resumed;
  });
  deps.onChange();
  return watch;
}

async function postSample(
  { desk }: WatchesDeps,
  { guildId, watch }: QueueAt,
  by: string,
): Promise<void> {
  const handle = newHandle();
  await desk.post({
    ...{ guildId, channelId: watch.channelId, handle },
    ...(watch.isForum && { isForum: true }),
    ...{ event: "watch-sample", facts: { guildId, watch, by } },
    nonce: nonceOf(watch.id, "sample", handle),
  });
}

interface StatusOptions extends WatchAt {
  /** Comments that wait for people. */
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
    // One that was just resumed is looked at now.
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

function tooMany(): InputError {
  return new InputError(`more than ${maxWatches} watches`, {
    code: "too_many_watches",
    facts: { most: maxWatches },
  });
}
