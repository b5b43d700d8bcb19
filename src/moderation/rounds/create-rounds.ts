import type { QueueItem, Watch } from "../../store/index.ts";
import type { Decider, PartOptions } from "../parts.ts";
import { waitAtMost } from "../within.ts";
import { goRound, type RoundParts, type Watched, watchedOf } from "./round.ts";
import { createSchedule } from "./schedule.ts";

export interface RoundsParts extends RoundParts, Pick<PartOptions, "owns"> {
  readonly decider: Decider;
}

/** Every watch of the guilds that this process serves, looked after in turn. */
export interface Rounds {
  start(): void;
  /** It was added or changed: looked at once. */
  put(guildId: string, watch: Watch): void;
  /** Stops looking after it. Resolves when its round has ended, after two seconds at the latest. */
  remove(guildId: string, watchId?: string): Promise<void>;
  wake(guildId: string, watchId: string): void;
  /** An item as it is now. */
  noteItem(guildId: string, item: QueueItem): void;
  /** Of the watches that are looked after here. */
  load(): { readonly waiting: number; readonly running: number };
  /** Watches of a linked channel are polled at once: something is wrong with it. */
  look(guildId: string, source: string): void;
  close(): Promise<void>;
}

const limits = { all: 24, guild: 2 } as const;
/** Watches that another process added, and guilds that moved, are noticed so soon. */
const refreshMs = 60_000;
const spreadMs = 50;
const longestSpreadMs = 60_000;
const lookEveryMs = 30_000;
const removeMs = 2_000;

export function createRounds(parts: RoundsParts): Rounds {
  const { clock, random, log, store, owns, decider } = parts;
  const all = new Map<string, Watched>();
  const lookedAt = new Map<string, number>();
  const run = (one: Watched) => store.guilds.runFor(one.guildId, () => goRound(parts, one));
  const schedule = createSchedule<Watched>({ clock, limits, run });
  /** Servers that are being erased, and until when nothing of them is begun. */
  const forgotten = new Map<string, number>();
  let timer: (() => void) | undefined;
  let isClosed = false;

  const keyOf = (guildId: string, watchId: string) => `${guildId}:${watchId}`;

  function add(guildId: string, watch: Watch, at: number): void {
    const watched = watchedOf(parts, guildId, watch);
    watched.nextAt = at;
    all.set(keyOf(guildId, watch.id), watched);
    schedule.add(watched);
  }

  /** Resolves when its round has ended. */
  function letGo(watched: Watched): Promise<void> {
    watched.ended.abort(new Error("a watch was let go"));
    all.delete(keyOf(watched.guildId, watched.watch.id));
    decider.drop(watched.guildId, watched.watch.id);
    return schedule.remove(watched);
  }

  async function refresh(): Promise<void> {
    try {
      const stored = await store.moderation.watches.all();
      if (isClosed) return;
      follow(stored.filter(([guildId]) => owns(guildId) && !isForgotten(guildId)));
    } catch (error) {
      if (!isClosed) log.warn("the watches were not read", { error });
    }
    if (!isClosed) timer = clock.after(refreshMs, refresh);
  }

  function isForgotten(guildId: string): boolean {
    const is = (forgotten.get(guildId) ?? 0) > clock.now();
    if (!is) forgotten.delete(guildId);
    return is;
  }

  function follow(stored: readonly (readonly [string, Watch])[]): void {
    const keys = new Set(stored.map(([guildId, { id }]) => keyOf(guildId, id)));
    for (const [key, watched] of all) if (!keys.has(key)) void letGo(watched);
    const fresh = stored.filter(([guildId, { id }]) => !all.has(keyOf(guildId, id)));
    // A thousand of them at once would be a thousand polls at once.
    const withinMs = Math.min(longestSpreadMs, (fresh.length - 1) * spreadMs);
    for (const [guildId, watch] of fresh) add(guildId, watch, clock.now() + random() * withinMs);
    for (const [guildId, watch] of stored) {
      const watched = all.get(keyOf(guildId, watch.id));
      if (watched !== undefined && hasChanged(watched.watch, watch)) schedule.wake(watched);
    }
  }

  return {
    start() {
      timer = clock.after(0, refresh);
    },
    put(guildId, watch) {
      forgotten.delete(guildId);
      const watched = all.get(keyOf(guildId, watch.id));
      if (watched === undefined) add(guildId, watch, clock.now());
      else {
        watched.misses = { polls: 0, posts: 0 };
        watched.postAt = 0;
        schedule.wake(watched);
      }
    },
    async remove(guildId, watchId) {
      if (watchId === undefined) forgotten.set(guildId, clock.now() + refreshMs);
      const gone = [...all.values()].filter(
        (one) => one.guildId === guildId && (watchId === undefined || one.watch.id === watchId),
      );
      await waitAtMost(clock, removeMs, gone.map(letGo));
    },
    wake(guildId, watchId) {
      const watched = all.get(keyOf(guildId, watchId));
      if (watched !== undefined) schedule.wake(watched);
    },
    noteItem(guildId, item) {
      all.get(keyOf(guildId, item.watchId))?.view.put(item);
    },
    load() {
      // One that another process looks after is counted there.
      const counts = [...all.values()]
        .filter(({ loadedAt }) => loadedAt !== undefined)
        .map(({ view }) => view.count());
      return {
        waiting: counts.reduce((sum, { waiting }) => sum + waiting, 0),
        running: counts.reduce((sum, { running }) => sum + running, 0),
      };
    },
    look(guildId, source) {
      const key = keyOf(guildId, source);
      if (clock.now() - (lookedAt.get(key) ?? 0) < lookEveryMs) return;
      lookedAt.set(key, clock.now());
      for (const watched of all.values()) {
        if (watched.guildId !== guildId || watched.watch.source !== source) continue;
        const { progress } = store.moderation;
        void progress
          .update(guildId, watched.watch.id, (stored) => stored && { ...stored, nextPollAt: 0 })
          .then(() => schedule.wake(watched))
          .catch((error: unknown) => log.warn("a watch was not woken", { error }));
      }
    },
    async close() {
      isClosed = true;
      timer?.();
      for (const { ended } of all.values()) ended.abort(new Error("the queue is closed"));
      await schedule.close();
    },
  };
}

function hasChanged(one: Watch, other: Watch): boolean {
  return JSON.stringify(one) !== JSON.stringify(other);
}
