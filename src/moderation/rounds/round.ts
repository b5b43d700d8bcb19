import { BotError } from "../../errors.ts";
import { found, type Watch } from "../../store/index.ts";
import { type Announce, createView, type View } from "../announce/index.ts";
import { emptyWatch } from "../clean-up.ts";
import { type Held, holding } from "../hold.ts";
import type { Decider, PartOptions } from "../parts.ts";
import type { PollMemory } from "../poll/index.ts";
import { blankProgress } from "../progress.ts";
import { isOfPlace, pauseOf, type Troubles, troubleOf } from "../trouble/index.ts";
import { codesOfPlaces, codesOfPolls, type PollingParts, pollNow } from "./polling.ts";
import type { Task } from "./schedule.ts";

export interface RoundParts extends PollingParts, Pick<PartOptions, "items" | "announcer"> {
  readonly announce: Announce;
  readonly troubles: Troubles;
  readonly decider: Pick<Decider, "takeUp">;
}

/** A watch as this process looks after it. */
export interface Watched extends Task {
  watch: Watch;
  readonly view: View;
  readonly memory: PollMemory;
  readonly judged: Set<string>;
  readonly ended: AbortController;
  loadedAt: number | undefined;
  /** How often in a row polls and messages failed. */
  misses: { polls: number; posts: number };
  /** Nothing is sent before. */
  postAt: number;
}

/** Whether another process changed something is looked at so often. */
const reloadMs = 10 * 60_000;
/** One round ends after so long, so that a large queue holds up nobody. */
const roundMs = 45_000;
const againMs = { all: Number.POSITIVE_INFINITY, more: 0, some: 60_000 } as const;
const elsewhereMs = 5_000;
const storeMs = 5_000;
const longestStoreMs = 60_000;

export function watchedOf(
  { store, items }: Pick<RoundParts, "store" | "items">,
  guildId: string,
  watch: Watch,
): Watched {
  return {
    ...{ guildId, watch, nextAt: 0, isRunning: false, isWanted: false },
    view: createView(store.moderation, items, { guildId, watchId: watch.id }),
    memory: { told: new Map(), askedAt: new Map() },
    judged: new Set(),
    ended: new AbortController(),
    loadedAt: undefined,
    misses: { polls: 0, posts: 0 },
    postAt: 0,
  };
}

/** One round of a watch: what is due is read, sent and drawn. Answers when the next one is due; never throws. */
export async function goRound(parts: RoundParts, watched: Watched): Promise<number> {
  const { clock, random, log, store } = parts;
  const { guildId, watch, ended } = watched;
  const name = `watch:${guildId}:${watch.id}`;
  try {
    const held = await holding({ leases: store.leases, clock }, name, (hold) =>
      work(parts, watched, hold).finally(() => ended.signal.aborted && tidied(parts, watched)),
    );
    if (held !== undefined) return held.value;
    // Another process looks after it, and may end any time.
    watched.loadedAt = undefined;
    return clock.now() + elsewhereMs * (1 + random());
  } catch (error) {
    if (!ended.signal.aborted) log.warn("a watch's round failed", { guild: guildId, error });
    watched.misses.posts += 1;
    const waitMs = Math.min(longestStoreMs, storeMs * 2 ** Math.min(watched.misses.posts, 5));
    return clock.now() + waitMs * (0.5 + random() / 2);
  }
}

async function work(parts: RoundParts, watched: Watched, hold: Held): Promise<number> {
  const { clock, store } = parts;
  const { guildId, ended } = watched;
  const { watches, progress: rows } = store.moderation;
  const watch = found(await watches.read(guildId, watched.watch.id));
  if (watch === undefined || ended.signal.aborted) return Number.POSITIVE_INFINITY;
  if (watch.source !== watched.watch.source) watched.loadedAt = undefined;
  watched.watch = watch;
  await look(parts, watched);
  if (watch.paused !== undefined) return clock.now() + reloadMs;
  const progress = found(await rows.read(guildId, watch.id)) ?? blankProgress;
  const pollAt = progress.nextPollAt ?? 0;
  let nextPollAt = pollAt;
  if (pollAt <= clock.now()) {
    nextPollAt = await poll(parts, watched);
    const stored = await tidied(parts, watched);
    if (stored === undefined) return Number.POSITIVE_INFINITY;
    // What was taken in is of the former channel.
    if (stored.source !== watch.source) return clock.now();
  }
  const nextPostAt = await post(parts, watched, hold);
  return Math.min(nextPollAt, nextPostAt, clock.now() + reloadMs);
}

/** The watch as it stands. What was still written of one that somebody stopped meanwhile goes with it. */
async function tidied(
  { store }: Pick<RoundParts, "store">,
  { guildId, watch }: Watched,
): Promise<Watch | undefined> {
  const stored = found(await store.moderation.watches.read(guildId, watch.id));
  if (stored === undefined) await emptyWatch(store.moderation, guildId, watch.id);
  return stored;
}

/** What is there, at first and now and then: also what a former process left, or another one changed. */
async function look({ clock, announcer, decider }: RoundParts, watched: Watched): Promise<void> {
  const { guildId, watch, view, loadedAt } = watched;
  const now = clock.now();
  if (loadedAt === undefined || now - loadedAt >= reloadMs) {
    const { items, undrawn } = await view.load(watch.source);
    for (const itemId of undrawn) announcer.changed(guildId, { watchId: watch.id, itemId });
    await decider.takeUp(guildId, watch, items);
    watched.loadedAt = now;
  } else if (view.isStuck(now)) await decider.takeUp(guildId, watch);
}

/** Answers when to poll next. */
async function poll(parts: RoundParts, watched: Watched): Promise<number> {
  const { store, troubles } = parts;
  const { guildId, watch, view, memory, misses, ended } = watched;
  const at = { guildId, watch };
  const progress = found(await store.moderation.progress.read(guildId, watch.id)) ?? blankProgress;
  const polled = await pollNow(parts, {
    ...{ guildId, watch, progress, view, memory },
    misses: misses.polls,
    signal: ended.signal,
  });
  if (polled.state === "failed") {
    misses.polls += 1;
    if (polled.noticed !== undefined) await troubles.met(at, polled.noticed, misses.polls);
    return polled.nextPollAt;
  }
  misses.polls = 0;
  try {
    await troubles.over(at, polled.progress, codesOfPolls(polled.progress));
  } catch (error) {
    await lost(parts, watched, error);
  }
  return polled.progress.nextPollAt ?? 0;
}

/** Answers when to send next. */
async function post(parts: RoundParts, watched: Watched, hold: Held): Promise<number> {
  const { clock, store, troubles, announce } = parts;
  const { guildId, watch, view, judged, ended, misses } = watched;
  const startedAt = clock.now();
  if (startedAt < watched.postAt) return watched.postAt;
  const progress = found(await store.moderation.progress.read(guildId, watch.id)) ?? blankProgress;
  const isOver = () => ended.signal.aborted || !hold.isHeld() || clock.now() - startedAt >= roundMs;
  try {
    // Where its channel took nothing, that it works again is the first thing to be tried.
    await troubles.over({ guildId, watch }, progress, codesOfPlaces(progress));
    const announced = await announce({ guildId, watch, view, judged, isOver });
    misses.posts = 0;
    return clock.now() + againMs[announced];
  } catch (error) {
    return lost(parts, watched, error);
  }
}

/** A message was not taken. Answers when to try again. @throws ServiceError `store_unavailable`. */
async function lost(parts: RoundParts, watched: Watched, error: unknown): Promise<number> {
  const { clock, random, log, troubles } = parts;
  const { guildId, watch, misses, ended } = watched;
  if (ended.signal.aborted) return Number.POSITIVE_INFINITY;
  const noticed = troubleOf(error);
  if (noticed === undefined) throw error;
  misses.posts += 1;
  const isPlace = isOfPlace(noticed.code);
  if (isPlace) await troubles.met({ guildId, watch }, noticed, misses.posts);
  else {
    const isOurs = !(error instanceof BotError);
    log[isOurs ? "error" : "warn"]("cards were not sent", {
      guild: guildId,
      watch: watch.id,
      error,
    });
  }
  const pauseMs = pauseOf(isPlace ? noticed.code : "service_failing", misses.posts);
  watched.postAt = clock.now() + pauseMs * (0.9 + random() * 0.2);
  return watched.postAt;
}
