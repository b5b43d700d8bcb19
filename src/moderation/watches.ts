import { nonceOf } from "../desk.ts";
import { InputError } from "../errors.ts";
import {
  found,
  newHandle,
  type QueueItem,
  rowIdOf,
  type Watch,
  type WatchProgress,
} from "../store/index.ts";
import { emptyWatch } from "./clean-up.ts";
import { type Pacing, spentToday } from "./pace/index.ts";
import type { Decider, PartOptions } from "./parts.ts";
import { blankProgress } from "./progress.ts";
import type { Rounds } from "./rounds/index.ts";
import { checkedMatches } from "./rules/index.ts";
import type { Watches, WatchSetting, WatchStatus } from "./types.ts";

/** Each costs its part of the day's units. */
const maxWatches = 10;

export interface WatchesParts
  extends Pick<PartOptions, "store" | "desk" | "engine" | "clock" | "items"> {
  readonly rounds: Rounds;
  readonly pace: Pacing;
  readonly decider: Pick<Decider, "drop">;
  /** All watches are read anew by whoever needs them. */
  readonly onChange: () => void;
}

/** The watches of one guild. */
export function createWatches(parts: WatchesParts, guildId: string): Watches {
  const { store, desk, engine, clock, rounds, pace, decider, onChange } = parts;
  const rows = store.moderation;
  const read = async (id: string) =>
    isId(id) ? found(await rows.watches.read(guildId, id)) : undefined;

  /** One record a channel of Discord's, so that two who set it up at once set up one. */
  async function put(setting: WatchSetting, by: string): Promise<Watch> {
    if (setting.match !== undefined) {
      await checkedMatches(engine, guildId, { wanted: setting.match, texts: [] });
    }
    const id = idOf(setting.channelId);
    const before = await read(id);
    if (before === undefined && (await rows.watches.list(guildId)).length >= maxWatches) {
      throw tooMany();
    }
    if (before !== undefined && before.source !== setting.source) await empty(id);
    const watch = await rows.watches.update(guildId, id, (stored): Watch => {
      const isSame = stored?.source === setting.source;
      const { addedBy, addedAt } = isSame ? stored : { addedBy: by, addedAt: clock.now() };
      return { ...setting, id, addedBy, addedAt, ...(stored?.paused && { paused: stored.paused }) };
    });
    await soon(id);
    onChange();
    rounds.put(guildId, watch);
    return watch;
  }

  /** Its next poll does not wait for the plan. */
  async function soon(id: string): Promise<void> {
    await rows.progress.update(guildId, id, (stored = blankProgress) => {
      const { nextPollAt: _, ...rest } = stored;
      return rest;
    });
  }

  async function empty(id: string): Promise<void> {
    await rounds.remove(guildId, id);
    decider.drop(guildId, id);
    await emptyWatch(rows, guildId, id);
  }

  async function change(id: string, make: (watch: Watch) => Watch): Promise<Watch | undefined> {
    if (!isId(id)) return undefined;
    const watch = await rows.watches.update(guildId, id, (stored) => stored && make(stored));
    onChange();
    return watch;
  }

  return {
    all: async () => [...(await rows.watches.list(guildId))].sort((a, b) => a.addedAt - b.addedAt),
    put,
    async remove(id) {
      if ((await read(id)) === undefined) return false;
      // First, so that no process takes it up again.
      await rows.watches.remove(guildId, id);
      await empty(id);
      onChange();
      return true;
    },
    async pause(id, by) {
      const paused = { at: clock.now(), by };
      const watch = await change(id, (stored) => ({ ...stored, paused: stored.paused ?? paused }));
      if (watch !== undefined) rounds.wake(guildId, id);
      return watch;
    },
    async resume(id) {
      const watch = await change(id, ({ paused: _, ...stored }) => stored);
      if (watch === undefined) return undefined;
      await soon(id);
      rounds.put(guildId, watch);
      return watch;
    },
    async test(id, by) {
      const watch = await read(id);
      if (watch === undefined) return;
      const handle = newHandle();
      await desk.post({
        ...{ guildId, channelId: watch.channelId, handle },
        ...(watch.isForum && { isForum: true }),
        ...{ event: "watch-sample", facts: { guildId, watch, by } },
        nonce: nonceOf(watch.id, "sample", handle),
      });
    },
    async status(id) {
      const watch = await read(id);
      if (watch === undefined) return undefined;
      const [progress, items] = await Promise.all([
        rows.progress.read(guildId, id).then(found),
        rows.items.list(guildId, id),
      ]);
      return statusOf(parts, guildId, { watch, progress: progress ?? blankProgress, items });
    },
  };

  async function statusOf(
    { clock: { now } }: WatchesParts,
    of: string,
    known: {
      readonly watch: Watch;
      readonly progress: WatchProgress;
      readonly items: readonly QueueItem[];
    },
  ): Promise<WatchStatus> {
    const { watch, progress, items } = known;
    const waiting = items.filter(({ status }) => status === "open" || status === "later");
    const turn = await pace.turn(of, watch, progress).catch(() => undefined);
    const { polledAt, nextPollAt, troubles } = progress;
    const oldestAt = Math.min(...waiting.map(({ comment }) => comment.publishedAt));
    return {
      watch,
      ...(polledAt !== undefined && { polledAt }),
      ...(nextPollAt !== undefined && watch.paused === undefined && { nextPollAt }),
      paceMs: Math.round(turn?.inMs ?? watch.paceMs),
      ...(turn?.slowedBy && { slowedBy: turn.slowedBy }),
      unitsADay: turn?.unitsADay ?? 0,
      unitsToday: spentToday(progress, now()),
      waiting: waiting.length,
      ...(waiting.length > 0 && { oldestAt }),
      troubles,
    };
  }
}

function idOf(channelId: string): string {
  return rowIdOf(channelId, 16);
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
