import { randomUUID } from "node:crypto";
import { nonceOf } from "../desk.ts";
import { InputError } from "../errors.ts";
import { newHandle, rowIdOf } from "../store/index.ts";
import { spentToday } from "./pace/index.ts";
import type { PartOptions } from "./parts.ts";
import type { Watch, WatchAt } from "./records/index.ts";
import { checkedMatches } from "./rules/index.ts";
import type { WatchSetting, WatchStatus } from "./types.ts";
import { announceQueue, keyOf, pollQueue, startWatchJobs } from "./watch-jobs.ts";

/** Each costs its part of the day's units. */
const maxWatches = 10;

export type Watches = ReturnType<typeof createWatches>;

/** The watches of one guild. `onChange`: what the watches of all guilds poll for has changed. */
export function createWatches(
  deps: PartOptions & { readonly onChange: () => void },
  guildId: string,
) {
  const { database, jobs, desk, engine, pace, onChange } = deps;
  const { comments, watches } = deps.records;

  /**
   * Begins to watch, or changes what is watched in that channel of Discord's: there is one watch a channel. One about another
   * linked channel is another watch: nothing of the former one's can get into its queue.
   * @throws InputError `too_many_watches`.
   */
  async function put(setting: WatchSetting, by: string): Promise<Watch> {
    if (setting.match !== undefined) {
      await checkedMatches(engine, guildId, { wanted: setting.match, texts: [] });
    }
    const { watch, former } = await database.transaction(() => write(setting, by));
    for (const { id } of former) await remove(id);
    onChange();
    return watch;
  }

  async function write(setting: WatchSetting, by: string) {
    const all = await watches.lockAll(guildId);
    const here = all.filter(({ channelId }) => channelId === setting.channelId);
    const same = here.find(({ source }) => source === setting.source);
    if (here.length === 0 && all.length >= maxWatches) throw tooMany();
    const { id, addedBy, addedAt } = same ?? {
      ...{ id: rowIdOf(randomUUID(), 16), addedBy: by, addedAt: database.now() },
    };
    const paused = here.at(-1)?.paused;
    const watch = { ...setting, id, addedBy, addedAt, ...(paused && { paused }) };
    await watches.change(guildId, id, () => watch);
    await beginAnew(id);
    return { watch, former: here.filter((one) => one !== same) };
  }

  /** Its next poll does not wait for the plan, and nothing for another try. */
  async function beginAnew(watchId: string): Promise<void> {
    await watches.changeProgress(guildId, watchId, (stored) => {
      const { nextPollAt, failedPolls, failedPosts, failedDraws, postAt, drawAt, ...rest } = stored;
      return rest;
    });
    await startWatchJobs(jobs, { guildId, watchId });
  }

  async function remove(watchId: string): Promise<boolean> {
    const wasThere = await watches.remove(guildId, watchId);
    // What is under way here ends; in other processes it finds nothing any more.
    for (const queue of [pollQueue, announceQueue]) {
      await jobs.remove(queue, keyOf({ guildId, watchId }));
    }
    return wasThere;
  }

  return {
    all: () => watches.all(guildId),
    put,
    /** Its queue goes with it; answers whether it was there. */
    async remove(id: string): Promise<boolean> {
      if (!isId(id) || !(await remove(id))) return false;
      onChange();
      return true;
    },
    async pause(id: string, by: string): Promise<Watch | undefined> {
      if (!isId(id)) return undefined;
      const paused = { at: database.now(), by };
      const watch = await watches.change(guildId, id, (stored) =>
        stored === undefined || stored.paused ? stored : { ...stored, paused },
      );
      onChange();
      return watch;
    },
    /** Looks at once. */
    async resume(id: string): Promise<Watch | undefined> {
      if (!isId(id)) return undefined;
      const watch = await database.transaction(async () => {
        const resumed = await watches.change(guildId, id, (stored) => {
          if (stored === undefined) return undefined;
          const { paused: _, ...rest } = stored;
          return rest;
        });
        if (resumed !== undefined) await beginAnew(id);
        return resumed;
      });
      onChange();
      return watch;
    },
    /** Leaves a sample card where the watch leaves its cards. @throws what `Desk.post` throws. */
    async test(id: string, by: string): Promise<void> {
      const watch = isId(id) ? await watches.read(guildId, id) : undefined;
      if (watch === undefined) return;
      const handle = newHandle();
      await desk.post({
        ...{ guildId, channelId: watch.channelId, handle },
        ...(watch.isForum && { isForum: true }),
        ...{ event: "watch-sample", facts: { guildId, watch, by } },
        nonce: nonceOf(watch.id, "sample", handle),
      });
    },
    async status(id: string): Promise<WatchStatus | undefined> {
      if (!isId(id)) return undefined;
      const [known, waiting] = await Promise.all([
        watches.readWithProgress(guildId, id),
        comments.count(guildId, { watchId: id, statuses: ["open", "later"] }),
      ]);
      return known && statusOf(known, waiting);
    },
  };

  async function statusOf(
    { watch, progress }: WatchAt,
    { count: waiting, oldestAt }: Pick<WatchStatus, "oldestAt"> & { readonly count: number },
  ): Promise<WatchStatus> {
    const turnOf = await pace.turnOf(guildId, watch).catch(() => undefined);
    const turn = turnOf?.(progress);
    const { polledAt, troubles } = progress;
    const isPolled = polledAt !== undefined && watch.paused === undefined;
    return {
      ...{ watch, polledAt, waiting, oldestAt, troubles },
      // One that was just resumed is looked at now.
      nextPollAt: isPolled ? (progress.nextPollAt ?? database.now()) : undefined,
      paceMs: Math.round(turn?.inMs ?? watch.paceMs),
      slowedBy: turn?.slowedBy,
      unitsADay: turn?.unitsADay ?? 0,
      unitsToday: spentToday(progress, database.now()),
    };
  }
}

function isId(id: string): boolean {
  return /^[0-9a-f]{16}$/.test(id);
}

function tooMany(): InputError {
  return new InputError(`more than ${maxWatches} watches`, {
    code: "too_many_watches",
    hint: `A server has up to ${maxWatches} watches. Stop one first.`,
    facts: { most: maxWatches },
  });
}
