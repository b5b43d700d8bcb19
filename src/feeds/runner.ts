import { platformDataMs } from "../store/index.ts";
import type { Budget } from "./budget.ts";
import type { FeedsOptions } from "./parts.ts";
import { isWatched } from "./places.ts";
import type { Asked, RoundEnd } from "./round.ts";
import type { FeedRef, Rows } from "./rows.ts";

export interface RunnerParts extends Pick<FeedsOptions, "owns" | "clock" | "random" | "log"> {
  readonly rows: Rows;
  readonly budget: Pick<Budget, "know">;
  readonly round: (ref: FeedRef, asked: Asked) => Promise<RoundEnd>;
}

/** Starts rounds when they are due, few at once. */
export interface Runner {
  start(): void;
  /** Looks at it soon: it is new, was changed, or the hub told of something. */
  wake(ref: FeedRef, pushed?: readonly string[]): void;
  /** Ends what is under way, and forgets it. */
  drop(ref: FeedRef): Promise<void>;
  dropGuild(guildId: string): Promise<void>;
  close(): Promise<void>;
}

interface Entry {
  readonly ref: FeedRef;
  readonly pushed: Set<string>;
  /** How often what was told could not be read yet. */
  unreadTimes: number;
  /** Looks that the hub caused, and since when they are counted. */
  told: { since: number; count: number };
  cancel: () => void;
  at: number;
  running: Promise<void> | undefined;
  /** It was due again while it ran. */
  isMissed: boolean;
  /** Aborted when nobody wants to hear of it any more. */
  readonly gone: AbortController;
}

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** How often the records are read for feeds that this process does not know of. */
const refreshMs = minuteMs;
/** Rounds at once. */
const mostAtOnce = 4;
/** What a restart finds overdue is spread over this time. */
const spreadMs = 20 * secondMs;
/** Several things that the hub tells in a row are one look. */
const gatherMs = 2 * secondMs;
const unreadMs = minuteMs;
const mostUnread = 3;
const mostPushed = 50;
/** Looks an hour that the hub may cause; what is beyond waits for the usual one. */
const mostTold = 30;
/** A day early, as the other titles. */
const titleMs = platformDataMs - 24 * hourMs;
const troubleMs = 5 * minuteMs;

export function createRunner(parts: RunnerParts): Runner {
  const { rows, clock, random, log, round } = parts;
  const entries = new Map<string, Entry>();
  const waiting: Entry[] = [];
  let running = 0;
  let isStarted = false;
  let isClosing = false;
  let cancelRefresh = () => {};
  /** Guilds that are being erased, and until when nothing of them is begun. */
  const forgotten = new Map<string, number>();
  const keyOf = ({ guildId, feedId }: FeedRef) => `${guildId}:${feedId}`;

  function serves(guildId: string): boolean {
    const until = forgotten.get(guildId) ?? 0;
    if (until <= clock.now()) forgotten.delete(guildId);
    return parts.owns(guildId) && until <= clock.now();
  }

  function entryOf(ref: FeedRef): Entry {
    const known = entries.get(keyOf(ref));
    if (known !== undefined) return known;
    const entry: Entry = {
      ...{ ref, pushed: new Set<string>(), unreadTimes: 0, told: { since: 0, count: 0 } },
      ...{ cancel: () => {}, at: Number.POSITIVE_INFINITY, running: undefined },
      ...{ isMissed: false, gone: new AbortController() },
    };
    entries.set(keyOf(ref), entry);
    return entry;
  }

  /** At that time, or earlier if it was to be earlier already. */
  function schedule(entry: Entry, at: number): void {
    if (entry.gone.signal.aborted || at >= entry.at) return;
    entry.cancel();
    entry.at = at;
    entry.cancel = clock.after(Math.max(0, at - clock.now()), () => {
      entry.at = Number.POSITIVE_INFINITY;
      if (entry.running !== undefined) entry.isMissed = true;
      else waiting.push(entry);
      startNext();
    });
  }

  function startNext(): void {
    while (running < mostAtOnce && !isClosing) {
      const entry = waiting.shift();
      if (entry === undefined) return;
      if (entry.gone.signal.aborted || entry.running !== undefined) continue;
      running += 1;
      entry.running = carryOut(entry).finally(() => {
        running -= 1;
        entry.running = undefined;
        if (entry.isMissed) waiting.push(entry);
        entry.isMissed = false;
        startNext();
      });
    }
  }

  async function carryOut(entry: Entry): Promise<void> {
    const { ref } = entry;
    const pushed = [...entry.pushed];
    entry.pushed.clear();
    try {
      const { nextAt, unread } = await round(ref, { pushed, signal: entry.gone.signal });
      keepUnread(entry, unread);
      if (nextAt !== undefined) schedule(entry, nextAt);
    } catch (error) {
      if (entry.gone.signal.aborted) return;
      log.warn("a feed's round failed", { guild: ref.guildId, feed: ref.feedId, error });
      schedule(entry, clock.now() + Math.round(troubleMs * (0.5 + random())));
    }
  }

  function keepUnread(entry: Entry, unread: readonly string[]): void {
    entry.unreadTimes = unread.length === 0 ? 0 : entry.unreadTimes + 1;
    if (entry.unreadTimes === 0) return;
    if (entry.unreadTimes > mostUnread) {
      entry.unreadTimes = 0;
      return;
    }
    for (const id of unread) entry.pushed.add(id);
    schedule(entry, clock.now() + unreadMs);
  }

  async function refresh(): Promise<void> {
    const found = await rows.everywhere();
    const watched = found
      .filter(([, feed]) => isWatched(feed))
      .map(([guildId, { id }]) => ({ guildId, feedId: id }));
    await parts.budget.know(watched);
    await forgetTitles(found);
    for (const ref of watched) {
      if (!serves(ref.guildId)) continue;
      const entry = entryOf(ref);
      if (entry.at !== Number.POSITIVE_INFINITY || entry.running !== undefined) continue;
      // Whenever its list is due, it may have something to tell or to await.
      schedule(entry, clock.now() + random() * spreadMs);
    }
  }

  /** Of feeds that nobody reads any more, what the service told goes as elsewhere (docs/decisions.md). */
  async function forgetTitles(found: Awaited<ReturnType<Rows["everywhere"]>>): Promise<void> {
    const readBefore = clock.now() - titleMs;
    for (const [guildId, { id, title, source, titleReadAt }] of found) {
      if (titleReadAt >= readBefore || title === source || !parts.owns(guildId)) continue;
      await rows.changeFeed(
        { guildId, feedId: id },
        (stored) =>
          stored && (stored.titleReadAt < readBefore ? { ...stored, title: source } : stored),
      );
    }
  }

  function refreshAgain(): void {
    refresh()
      .catch((error: unknown) => log.warn("feeds could not be read", { error }))
      .finally(() => {
        if (!isClosing) cancelRefresh = clock.after(refreshMs, refreshAgain);
      });
  }

  async function dropEntry(entry: Entry): Promise<void> {
    entry.gone.abort();
    entry.cancel();
    await entry.running;
    if (entries.get(keyOf(entry.ref)) === entry) entries.delete(keyOf(entry.ref));
  }

  return {
    start: () => {
      if (isStarted) return;
      isStarted = true;
      refreshAgain();
    },
    wake: (ref, pushed) => {
      if (!isStarted || isClosing || !serves(ref.guildId)) return;
      const entry = entryOf(ref);
      const now = clock.now();
      if (pushed === undefined) return schedule(entry, now);
      for (const id of pushed) if (entry.pushed.size < mostPushed) entry.pushed.add(id);
      if (now - entry.told.since > hourMs) entry.told = { since: now, count: 0 };
      entry.told.count += 1;
      if (entry.told.count <= mostTold) schedule(entry, now + gatherMs);
    },
    drop: async (ref) => {
      const entry = entries.get(keyOf(ref));
      if (entry !== undefined) await dropEntry(entry);
    },
    dropGuild: async (guildId) => {
      forgotten.set(guildId, clock.now() + refreshMs);
      const own = [...entries.values()].filter(({ ref }) => ref.guildId === guildId);
      await Promise.all(own.map(dropEntry));
    },
    close: async () => {
      isClosing = true;
      cancelRefresh();
      await Promise.all([...entries.values()].map(dropEntry));
    },
  };
}
