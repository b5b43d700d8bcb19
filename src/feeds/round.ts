import { BotError, ConnectError, LimitError } from "../errors.ts";
import { type Announcement, type Feed, type FeedProgress, newHandle } from "../store/index.ts";
import type { VideoClient } from "../video/index.ts";
import { judge } from "./judge.ts";
import type { Memories, Memory } from "./memory.ts";
import type { createOutbox } from "./outbox.ts";
import type { FeedsOptions } from "./parts.ts";
import { channelGone, isWatched } from "./places.ts";
import { type Listed, progressed } from "./progressed.ts";
import { hasLapsed } from "./push/lease.ts";
import { isMissing, readTitle, readUploads, readVideos, type Upload } from "./read.ts";
import type { Seen } from "./release.ts";
import { announcementIdOf, type FeedRef, type Rows } from "./rows.ts";
import type { Switch } from "./switch-off.ts";
import { dueOf, wantedOf } from "./wanted.ts";

export interface RoundParts extends Pick<FeedsOptions, "video" | "clock" | "log"> {
  readonly store: Pick<FeedsOptions["store"], "leases">;
  readonly rows: Rows;
  readonly memories: Memories;
  readonly outbox: ReturnType<typeof createOutbox>;
  readonly switch: Switch;
  /** How long until the next look at the list, by what is known of it and what is left. */
  readonly intervalOf: (ref: FeedRef, progress: FeedProgress) => Promise<number>;
  /** Asks the hub to tell what is new, where that is worth asking; answers when to come again for it. Never throws. */
  readonly subscribe: (
    ref: FeedRef,
    feed: Feed,
    progress: FeedProgress,
  ) => Promise<number | undefined>;
  readonly random: () => number;
}

/** What a round is asked to do beside what is due anyway. */
export interface Asked {
  /** Videos that the hub told of. */
  readonly pushed: readonly string[];
  readonly signal: AbortSignal;
}

export interface RoundEnd {
  /** When the next one is due; undefined: when people change something. */
  readonly nextAt: number | undefined;
  /** What was told and can't be read yet. */
  readonly unread: readonly string[];
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const leaseMs = 2 * minuteMs;
/** After which a list and a channel that are not found are believed to be gone, if they still are. */
const missingMs = hourMs;
/** Between two tries without anything to read with; and after which it is told. */
const keylessRetryMs = hourMs / 2;
const keylessMs = 2 * hourMs;
/** Names are kept for 30 days at most without being read again (docs/decisions.md). */
const titleMs = 25 * dayMs;
/** At most this many announcements in one round, so that no other feed waits for them. */
const mostAtOnce = 25;

/** Looks at a feed: what is new in its list, what was awaited, what is still to be told. */
export function createRound(parts: RoundParts) {
  const { store, rows, memories, outbox, clock, log, random } = parts;

  return async function round(ref: FeedRef, asked: Asked): Promise<RoundEnd> {
    const { leases } = store;
    const lease = await leases.take(`feed:${ref.guildId}:${ref.feedId}`, leaseMs);
    // Whoever has it looks; when nobody does any more, it ends by itself.
    if (lease === undefined) return { nextAt: clock.now() + minuteMs / 2, unread: asked.pushed };
    try {
      const end = await look(ref, asked);
      if ((await rows.feed(ref)) !== undefined) return end;
      // Somebody removed it: what was written since goes with it.
      await rows.empty(ref);
      memories.forget(ref);
      return over;
    } finally {
      await lease.release();
    }
  };

  async function look(ref: FeedRef, asked: Asked): Promise<RoundEnd> {
    const feed = await rows.feed(ref);
    if (feed === undefined) return over;
    await parts.switch.tellUntold(ref, feed);
    if (!isWatched(feed)) return over;
    const progress = await rows.progress(ref);
    try {
      const client = await parts.video(ref.guildId);
      const read = { ref, feed, progress, client, asked };
      const memory = await memories.of(ref, progress);
      return await carryOut(read, memory);
    } catch (error) {
      if (asked.signal.aborted) throw error;
      return { nextAt: await failed(ref, progress, error), unread: asked.pushed };
    }
  }

  async function carryOut(reading: Reading, memory: Memory): Promise<RoundEnd> {
    const { ref, feed, progress, client, asked } = reading;
    const now = clock.now();
    const isDue = now >= (progress.nextPollAt ?? 0) || hasLapsed(progress, now);
    const listed = isDue ? await listOf(reading) : none;
    if (listed === "gone") return over;
    if (isDue) await noteHidden(ref, feed, memory, listed.uploads);
    const wanted = wantedOf(memory, { uploads: listed.uploads, pushed: asked.pushed, now });
    const seen = await readVideos(client, wanted, asked.signal);
    const unread = asked.pushed.filter((id) => wanted.includes(id) && !seen.has(id));
    // What only the hub knows so far may be a slip of its own; it writes nothing.
    const decided = wanted.filter((id) => !unread.includes(id) || memory.stateOf(id) !== undefined);
    await decide(reading, memory, { ids: decided, seen });
    const sent = await send(reading, memory, seen);
    const title = [...seen.values()].find(({ source }) => source === feed.source)?.video
      .channelTitle;
    const after = await rows.changeProgress(ref, (stored) =>
      progressed(stored, { ...listed, isDue, announcedAt: sent.announcedAt, now }),
    );
    const next = isDue ? await scheduled(ref, after) : after;
    memories.kept(ref, next);
    await refreshTitle(reading, title);
    if (feed.off !== undefined) await parts.switch.on(ref);
    const isThere = next.missingSince === undefined;
    const hubAt = isThere ? await parts.subscribe(ref, feed, next) : undefined;
    const soonest = nextOf(next, memory, sent.isBehind);
    return { nextAt: hubAt === undefined ? soonest : Math.min(soonest, hubAt), unread };
  }

  /** The list, empty for a channel that is there and has none; `gone` once it is switched off. */
  async function listOf(reading: Reading): Promise<Listed | "gone"> {
    const { ref, feed, progress, client, asked } = reading;
    try {
      const uploads = await readUploads(client, feed.uploads, asked.signal);
      return { uploads, missingSince: undefined };
    } catch (error) {
      if (!isMissing(error)) throw error;
      // A channel without a public video may have no list, so that the channel itself is asked for.
      const title = await readTitle(client, feed.source, asked.signal);
      if (title !== undefined) return { uploads: [], missingSince: undefined };
      const now = clock.now();
      const missingSince = progress.missingSince ?? now;
      if (progress.missingSince === undefined || now - missingSince < missingMs) {
        return { uploads: [], missingSince };
      }
      log.info("a feed's channel is gone", { guild: ref.guildId, feed: ref.feedId });
      await parts.switch.off(ref, channelGone);
      return "gone";
    }
  }

  /** What is listed and not yet for everybody: a linked channel's own list has them. They cost nothing until then. */
  async function noteHidden(
    ref: FeedRef,
    feed: Feed,
    memory: Memory,
    uploads: readonly Upload[],
  ): Promise<void> {
    for (const { videoId, isPublic } of uploads) {
      if (isPublic || memory.stateOf(videoId) !== undefined) continue;
      const row: Announcement = {
        ...{ id: announcementIdOf(videoId), feedId: feed.id, videoId },
        ...{ state: "awaited", at: clock.now() },
      };
      memory.note(await rows.changeAnnouncement(ref, videoId, (stored) => stored ?? row));
    }
  }

  async function decide(
    { ref, feed }: Reading,
    memory: Memory,
    { ids, seen }: { readonly ids: readonly string[]; readonly seen: ReadonlyMap<string, Seen> },
  ): Promise<void> {
    const now = clock.now();
    for (const videoId of ids) {
      const found = seen.get(videoId);
      // The hub, or a list, may tell of somebody else's.
      if (found !== undefined && found.source !== feed.source) continue;
      const judging = {
        ...{ feed, now, videoId, id: announcementIdOf(videoId) },
        handle: newHandle(),
      };
      const row = await rows.changeAnnouncement(ref, videoId, (stored) =>
        stored === undefined || stored.state === "awaited" ? judge(stored, found, judging) : stored,
      );
      memory.note(row);
    }
  }

  async function send(
    { ref, client, asked }: Reading,
    memory: Memory,
    seen: ReadonlyMap<string, Seen>,
  ) {
    const due = dueOf(memory).slice(0, mostAtOnce);
    const unread = due.filter(({ videoId }) => !seen.has(videoId)).map(({ videoId }) => videoId);
    const more = await readVideos(client, unread, asked.signal);
    /** Channels that were called in this round already. */
    const called = new Set<string>();
    let announcedAt: number | undefined;
    let isBehind = dueOf(memory).length > due.length;
    for (const row of due) {
      asked.signal.throwIfAborted();
      // People may have changed their minds since the last one.
      const current = await rows.feed(ref);
      if (current === undefined || !isWatched(current)) break;
      const place = row.kind === undefined ? undefined : current.places[row.kind];
      const target = `${place?.channelId} ${place?.roleId}`;
      const found = seen.get(row.videoId) ?? more.get(row.videoId);
      const sending = { feed: current, row, seen: found, pings: !called.has(target) };
      const sent = await outbox.send(ref, sending);
      if (sent.end === "later") isBehind = true;
      if (sent.end === "done") {
        called.add(target);
        announcedAt = clock.now();
      }
      if (sent.end === "done" || sent.end === "over") memory.note(sent.row);
      if (sent.end === "closed") {
        memory.note({ ...row, state: "skipped" });
        await parts.switch.placeOff(ref, sent);
      }
    }
    return { announcedAt, isBehind };
  }

  async function scheduled(ref: FeedRef, progress: FeedProgress): Promise<FeedProgress> {
    const interval = await parts.intervalOf(ref, progress);
    const missing = progress.missingSince === undefined ? interval : Math.max(interval, missingMs);
    const nextPollAt = clock.now() + Math.round(missing * (0.95 + 0.1 * random()));
    return rows.changeProgress(ref, (stored) => ({ ...stored, nextPollAt }));
  }

  function nextOf({ nextPollAt }: FeedProgress, { open }: Memory, isBehind: boolean): number {
    const now = clock.now();
    const looks = [...open.values()].flatMap(({ state, lookAt }) =>
      state === "awaited" && lookAt !== undefined ? [lookAt] : [],
    );
    const soonest = Math.min(nextPollAt ?? now, ...looks, ...(isBehind ? [now + minuteMs] : []));
    return Math.max(soonest, now + 1_000);
  }

  async function refreshTitle({ ref, feed, client, asked }: Reading, known: string | undefined) {
    const now = clock.now();
    const isOld = now - feed.titleReadAt > titleMs;
    if (!isOld && (known === undefined || known === feed.title)) return;
    const title = known ?? (await readTitle(client, feed.source, asked.signal));
    if (title === undefined || title === "") return;
    await rows.changeFeed(ref, (stored) => stored && { ...stored, title, titleReadAt: now });
  }

  /** When it is worth another try. */
  async function failed(ref: FeedRef, before: FeedProgress, error: unknown): Promise<number> {
    if (!(error instanceof BotError)) throw error;
    const now = clock.now();
    const at = { guild: ref.guildId, feed: ref.feedId };
    log.info("a feed could not be read", { ...at, error });
    if (error instanceof LimitError) {
      const back = error.retryAt?.getTime() ?? now + hourMs;
      return later(ref, Math.max(back, now + minuteMs) + Math.round(random() * 10 * minuteMs));
    }
    if (error instanceof ConnectError) {
      const since = before.keylessSince ?? now;
      if (now - since >= keylessMs) await parts.switch.off(ref, error.code);
      return later(ref, now + keylessRetryMs, { keylessSince: since });
    }
    const failures = before.failures + 1;
    const wait = Math.min(hourMs, 2 * minuteMs * 2 ** Math.min(failures, 6));
    return later(ref, now + Math.round(wait * (0.8 + 0.4 * random())), { failures });
  }

  async function later(ref: FeedRef, nextPollAt: number, change: Partial<FeedProgress> = {}) {
    await rows.changeProgress(ref, (stored) => ({ ...stored, ...change, nextPollAt }));
    return nextPollAt;
  }
}

interface Reading {
  readonly ref: FeedRef;
  readonly feed: Feed;
  readonly progress: FeedProgress;
  readonly client: VideoClient;
  readonly asked: Asked;
}

const over: RoundEnd = { nextAt: undefined, unread: [] };
const none: Listed = { uploads: [], missingSince: undefined };
