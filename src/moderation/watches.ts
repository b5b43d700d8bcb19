import { randomUUID } from "node:crypto";
import { createNonce } from "../channel-messages.ts";
import { InputError } from "../errors.ts";
import { hashToRecordId, newHandle } from "../store/index.ts";
import { deleteMessages, endWatch, readMessages } from "./end-watch.ts";
import { spentToday } from "./pace/create-pace.ts";
import { toPublicWatch, type Watch } from "./records/index.ts";
import { type ModerationRoom, watchChannel } from "./room.ts";
import type { WatchChange, WatchChoice, WatchPlace, WatchStatus } from "./types.ts";
import { startWatchJobs } from "./watch-jobs.ts";

/** How often people may be asked for the same consent. */
const askEveryMs = 24 * 3_600_000;

/** Each watch takes its part of the day's quota units. */
const maxWatches = 10;

export type Watches = ReturnType<typeof createWatches>;

/** The Discord channel of a watch. */
type MoveTarget = Pick<Watch, "channelId" | "isForum" | "mayBePublic">;

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

export function createWatches(room: ModerationRoom, guildId: string) {
  const { database, records, pace, channelMessages } = room;
  const { watches } = records;
  const end = (
    watchId: string,
    movedTo?: { readonly watchId: string; readonly channelId: string },
  ) => endWatch(room, { guildId, watchId }, movedTo);

  async function writeWatch({ place, change, by, over }: NewWatch) {
    const { channelId, isForum, source } = place;
    const known = await watches.lockAll(guildId);
    const all = known.filter(({ id }) => id !== over);
    const here = all.filter((one) => one.channelId === channelId);
    // There are several only while earlier ones are about to be removed.
    const last = here.at(-1);
    const same = last?.source === source ? last : undefined;
    if (here.length === 0 && all.length >= maxWatches) {
      throw new InputError(`more than ${maxWatches} watches`, {
        code: "too_many_watches",
        facts: { most: maxWatches },
      });
    }
    const { id, addedBy, addedAt } = same ?? {
      id: hashToRecordId(randomUUID(), 16),
      addedBy: by,
      addedAt: Math.max(database.now(), (last?.addedAt ?? 0) + 1),
    };
    const { paused } = last ?? known.find((one) => one.id === over) ?? {};
    const others = all.filter((one) => one !== last);
    const choice = onlyChoice(change(last, others));
    const watch: Watch = { ...choice, id, channelId, isForum, source, addedBy, addedAt, paused };
    await watches.change(guildId, id, () => watch);
    if (watch.isKeyOnly) await noteUnlinked(id);
    await restartJobs(id);
    return { watch, former: here.filter((one) => one !== same) };
  }

  /** Whoever sets a watch up without the link has read what that means, so nobody is notified of it. */
  function noteUnlinked(watchId: string) {
    const since = database.now();
    return watches.changeProgress(guildId, watchId, (stored) => {
      const link_missing = { since, isTold: true, readsByKey: true } as const;
      return { ...stored, troubles: { link_missing, ...stored.troubles } };
    });
  }

  /** Polls at once, and forgets earlier failures and the waits they caused. */
  async function restartJobs(watchId: string): Promise<void> {
    await watches.changeProgress(guildId, watchId, (stored) => {
      const { nextPollAt, failedPolls, failedPosts, failedDraws, postAt, drawAt, ...rest } = stored;
      return rest;
    });
    await startWatchJobs(room.jobs, { guildId, watchId });
  }

  /** Changes a stored watch, and polls at once. Undefined if there is no such watch. */
  async function changeAndPoll(id: string, make: (stored: Watch) => Watch) {
    if (!isId(id)) return undefined;
    const watch = await database.transaction(async () => {
      const changed = await watches.change(guildId, id, (stored) => stored && make(stored));
      if (changed !== undefined) await restartJobs(id);
      return changed;
    });
    pace.renew();
    return watch;
  }

  return {
    all: () => watches.readAll(guildId),
    /**
     * Adds a watch or changes the existing one: each Discord channel has one watch. If the linked channel differs, the old
     * watch is removed and a new one added, so that none of its comments stay in the queue. `change` gets the watch that is
     * there, and the others of the server, which can't change meanwhile.
     * @throws InputError `too_many_watches`; what `change` throws.
     */
    async put(place: WatchPlace, change: NewWatch["change"], by: string): Promise<Watch> {
      const { watch, former } = await database.transaction(() => writeWatch({ place, change, by }));
      for (const { id } of former) await end(id);
      pace.renew();
      return watch;
    },
    /** Polls at once. Undefined if there is no such watch. @throws what `make` throws. */
    change: (id: string, make: WatchChange) =>
      changeAndPoll(id, (stored) => {
        const { id: _, channelId, isForum, source, addedAt, addedBy, paused } = stored;
        const fixed = { id, channelId, isForum, source, addedAt, addedBy, paused };
        return { ...onlyChoice(make(stored)), ...fixed };
      }),
    /** Ends a watch: its messages are closed, and its queue is removed. Returns whether it was there. */
    async remove(id: string): Promise<boolean> {
      if (!isId(id) || !(await end(id))) return false;
      pace.renew();
      return true;
    },
    /** How many of its messages could be deleted. */
    async countMessages(watchId: string): Promise<number> {
      let count = 0;
      for await (const { isReport } of readMessages(records, { guildId, watchId })) {
        if (!isReport) count += 1;
      }
      return count;
    },
    /** Lets a job delete the messages of a watch that has ended; false if that is too long ago. */
    deleteMessages: async (watchId: string) =>
      isId(watchId) && deleteMessages(room, { guildId, watchId }),
    /**
     * Adds a watch that goes on with what another one of the same linked channel has: its settings and its waiting
     * comments. The other one ends. Undefined if it has ended already. @throws InputError `too_many_watches`.
     */
    async move(id: string, to: MoveTarget, by: string): Promise<Watch | undefined> {
      const { channelId, isForum, mayBePublic } = to;
      const moved = await database.transaction(async () => {
        const before = await watches.read(guildId, id);
        if (before === undefined) return undefined;
        const { watch, former } = await writeWatch({
          place: { channelId, isForum, source: before.source },
          change: () => ({ ...before, mayBePublic }),
          by,
          over: id,
        });
        await end(id, { watchId: watch.id, channelId });
        for (const one of former) await end(one.id);
        return watch;
      });
      pace.renew();
      return moved;
    },
    async pause(id: string, by: string): Promise<Watch | undefined> {
      if (!isId(id)) return undefined;
      const paused = { at: database.now(), by };
      const watch = await watches.change(guildId, id, (stored) =>
        stored === undefined || stored.paused ? stored : { ...stored, paused },
      );
      pace.renew();
      return watch;
    },
    /** Ends the pause and polls at once. */
    resume: (id: string) => changeAndPoll(id, (stored) => ({ ...stored, paused: undefined })),
    /** Posts a sample card in the watch's channel. @throws what `ChannelMessages.post` throws. */
    async test(id: string, by: string): Promise<void> {
      const watch = isId(id) ? await watches.read(guildId, id) : undefined;
      if (watch === undefined) return;
      const handle = newHandle();
      await channelMessages.post({
        ...watchChannel({ guildId, watch }),
        handle,
        name: "watch-sample",
        facts: { guildId, watch, by },
        nonce: createNonce(watch.id, "sample", handle),
      });
    },
    async status(id: string): Promise<WatchStatus | undefined> {
      if (!isId(id)) return undefined;
      const [known, waiting] = await Promise.all([
        watches.readWithProgress(guildId, id),
        records.comments.countWaiting(guildId, id),
      ]);
      if (known === undefined) return undefined;
      const { watch, progress } = known;
      const { polledAt, troubles } = progress;
      const isByKey =
        troubles.link_missing?.readsByKey === true || troubles.link_broken?.readsByKey === true;
      const view = isByKey ? await room.publicView(guildId) : undefined;
      const turnOf = await pace
        .turnOf(guildId, isByKey ? toPublicWatch(watch) : watch, view)
        .catch(() => undefined);
      const turn = turnOf?.(progress);
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
        isByKey,
      };
    },
    /** Stores the title of a channel that is no longer linked in its watches, which show it; their polls update it. */
    async noteTitle(source: string, title: string, titleReadAt: number): Promise<void> {
      for (const { id } of await watches.readAll(guildId)) {
        await watches.change(guildId, id, (stored) =>
          stored?.source === source ? { ...stored, title, titleReadAt } : stored,
        );
      }
    },
    /** Polls the watches of a channel at once, because it was linked, or is linked no more. */
    async pollSoon(source?: string): Promise<readonly Watch[]> {
      const all = await watches.readAll(guildId);
      const some = all.filter((one) => source === undefined || one.source === source);
      for (const { id, paused } of some) if (paused === undefined) await restartJobs(id);
      return some;
    },
    /**
     * Asks the people who can link channels for the consent of a watch's channel, at most once a day. Returns when that was
     * asked last; undefined if there is no such watch.
     */
    async askForConsent(
      id: string,
      by: string,
    ): Promise<{ readonly at: number; readonly isNew: boolean } | undefined> {
      const watch = isId(id) ? await watches.read(guildId, id) : undefined;
      if (watch === undefined) return undefined;
      const now = database.now();
      let isNew = false;
      const after = await watches.changeProgress(guildId, id, (stored) => {
        isNew = now - (stored.askedAt ?? 0) >= askEveryMs;
        return isNew ? { ...stored, askedAt: now } : stored;
      });
      if (isNew) await room.notify({ name: "watch-consent", facts: { guildId, watch, by } });
      return { at: after?.askedAt ?? now, isNew };
    },
  };
}

/** What people choose, without the rest of a watch. */
function onlyChoice(all: WatchChoice & Partial<Watch>): WatchChoice {
  const { id, channelId, isForum, source, addedAt, addedBy, paused, ended, ...choice } = all;
  return choice;
}

function isId(id: string): boolean {
  return /^[0-9a-f]{16}$/.test(id);
}
