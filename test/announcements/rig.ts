import {
  type Announcement,
  createFeeds,
  type Feed,
  type FeedProgress,
  type FeedsDeps,
  type StreamOptions,
  unsubscribeJobs,
} from "../../src/announcements/index.ts";
import type { QuotaState } from "../../src/budget/index.ts";
import type {
  OutgoingMessage,
  PostedMessage,
  PublishableMessages,
} from "../../src/channel-messages.ts";
import { type Database, openDatabase } from "../../src/database/index.ts";
import { AccessError, ConnectError, NetworkError, ServiceError } from "../../src/errors.ts";
import { createHttp } from "../../src/http/index.ts";
import { createJobs } from "../../src/jobs/index.ts";
import { createLog, createSecrets } from "../../src/log.ts";
import { startVideo, type VideoServer } from "../../src/sandbox/video/index.ts";
import type { ScheduledEvent, ScheduledEvents } from "../../src/scheduled-events.ts";
import { createStore } from "../../src/store/index.ts";
import { createVideoClient } from "../../src/video/index.ts";
import { fencedDatabase, type Step } from "../moderation/support/fenced-database.ts";
import { lookEveryMs } from "../moderation/support/still-clock.ts";
import { seeded } from "../support/random.ts";

export const guildId = "100000000000000001";
export const owner = "200000000000000002";
export const uploadsHere = { channelId: "300000000000000003" } as const;
export const liveHere = { channelId: "300000000000000004" } as const;
export const shortsHere = { channelId: "300000000000000005" } as const;
export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** A message posted in a channel. */
export interface InChannel extends PostedMessage {
  /** As it was posted, and as it is now. */
  readonly message: OutgoingMessage;
  readonly says: OutgoingMessage;
  readonly at: number;
  readonly isRemoved: boolean;
  readonly isPublished: boolean;
}

/** An event of the server. */
export interface InServer {
  readonly id: string;
  readonly event: ScheduledEvent;
}

export interface RigOptions {
  readonly seed?: number;
  readonly callbackUrl?: string;
  readonly hubUrl?: string;
  readonly left?: () => QuotaState;
  /** Receives the lines of the log. */
  readonly write?: (line: string) => void;
  /** When set, reads as the linked channel. */
  readonly asOwner?: boolean;
  /** The address of a database that each process opens for itself; when absent, all share one in memory. */
  readonly url?: string;
}

export interface ProcessOptions extends Partial<FeedsDeps> {
  /** Runs no jobs, like a process that is busy. */
  readonly isIdle?: boolean;
}

/**
 * The real feeds over a real stand-in of YouTube and a real store, with their own clock and a fake Discord channel
 * that keeps what was posted in it.
 */
export async function openRig(options: RigOptions = {}) {
  const random = seeded(options.seed ?? 1);
  const { write = () => undefined, url = "sqlite::memory:" } = options;
  const log = createLog({ level: "info", secrets: createSecrets(), write });
  const time = createTime();
  const { now, counted } = time;
  const video: VideoServer = await startVideo({
    now,
    random,
    identify: () => ({ channelId: video.ownChannelId, scopes: ["youtube.force-ssl"] }),
  });
  const open = async () => openDatabase({ url, now });
  const shared = await open();
  const closing: Promise<void>[] = [];
  const keys = [{ id: "one", key: new Uint8Array(32).fill(7) }];
  const http = createHttp({ now: Date.now, random });
  const channel = createChannel(now);
  const events = createEvents(() => channel.strikes());
  const notifications: { readonly name: string; readonly facts: unknown }[] = [];
  /** `looks`: those of them that read videos. */
  const units = { spent: 0, looks: 0 };
  let isConnected = true;

  /** Feeds of a separate process over the same database. */
  async function begin({ isIdle, ...change }: ProcessOptions = {}) {
    const own = url === "sqlite::memory:" ? shared : await open();
    let isDead = false;
    const stepsLeft = { all: Number.POSITIVE_INFINITY, messages: Number.POSITIVE_INFINITY };
    const kill = () => {
      if (!isDead && own !== shared) closing.push(own.close());
      isDead = true;
    };
    const step = (which: keyof typeof stepsLeft) => {
      stepsLeft[which] -= 1;
      if (stepsLeft[which] < 0) kill();
      if (isDead) throw new Killed();
    };
    /** A killed process sends nothing and receives nothing. */
    const alive = <A extends unknown[], T>(
      work: (...given: A) => Promise<T>,
      which: keyof typeof stepsLeft = "all",
    ) => {
      return counted(async (...given: A): Promise<T> => {
        step(which);
        const answer = await work(...given);
        step(which);
        return answer;
      });
    };
    const channelMessages: PublishableMessages = {
      post: alive(channel.channelMessages.post, "messages"),
      edit: alive(channel.channelMessages.edit),
      close: alive(channel.channelMessages.close),
      publish: alive(channel.channelMessages.publish),
      openThread: alive(channel.channelMessages.openThread),
      remove: alive(channel.channelMessages.remove),
      find: alive(channel.channelMessages.find, "messages"),
    };
    const scheduledEvents: ScheduledEvents = {
      create: alive(events.scheduledEvents.create, "messages"),
      change: alive(events.scheduledEvents.change),
      find: alive(events.scheduledEvents.find, "messages"),
    };
    /** A query is not counted as a step. */
    const query: Step = counted(async (send) => {
      if (isDead) throw new Killed();
      const answer = await send();
      if (isDead) throw new Killed();
      return answer;
    });
    const database = guard(own, alive, query);
    const after = (isPoll: boolean) => (ms: number, call: () => unknown) =>
      time.after(ms, () => (isDead ? undefined : call()), isPoll);
    const jobs = createJobs({
      database,
      random,
      log,
      lookEveryMs,
      clock: { now, after: after(true) },
    });
    const { oneTimeTokens, eraseServer } = await createStore({
      database,
      keys,
      onPushesErased: async (pushes) => {
        for (const job of unsubscribeJobs(pushes, now())) await jobs.put(job);
      },
    });
    const feeds = createFeeds({
      database,
      jobs,
      channelMessages,
      scheduledEvents,
      http,
      random,
      log,
      oneTimeTokens: {
        ...oneTimeTokens,
        put: alive(oneTimeTokens.put),
        read: alive(oneTimeTokens.read),
      },
      video: alive(async () => {
        if (!isConnected) throw noKey();
        const client = createVideoClient({
          baseUrl: video.url,
          http,
          now: Date.now,
          ...(options.asOwner ? { token: "owner" } : { key: video.key }),
        });
        return {
          ...client,
          call: alive(async (method, params, how) => {
            units.spent += 1;
            if (method === "videos.list") units.looks += 1;
            return client.call(method, params, how);
          }) as typeof client.call,
        };
      }),
      left: async () => options.left?.() ?? plenty(now()),
      notify: alive(async (notification) => {
        notifications.push(notification);
      }),
      hub: {
        url: options.hubUrl ?? "http://127.0.0.1:9/subscribe",
        callbackUrl: options.callbackUrl,
      },
      clock: { now, after: after(false) },
      ...change,
    });
    if (!isIdle) jobs.start();
    return {
      feeds,
      database,
      eraseServer,
      /** Ends the process at once: nothing that it began has an effect any more. */
      kill,
      /** Ends the process that many steps later: between any two steps, or before or after a message is posted. */
      killIn: (steps: number, which: keyof typeof stepsLeft) => {
        stepsLeft[which] = steps;
      },
      get isDead() {
        return isDead;
      },
    };
  }

  /** When the next job is due; now, while some are running. */
  async function nextJobAt(): Promise<number> {
    const rows = await shared.db
      .selectFrom("jobs")
      .select(["due_at", "locked_by"])
      .where("parked_at", "is", null)
      .execute();
    const isRunning = rows.some(({ locked_by }) => locked_by !== null);
    return isRunning ? now() : Math.min(...rows.map(({ due_at }) => due_at));
  }

  async function rows() {
    const all = await shared.db.selectFrom("feeds").selectAll().execute();
    const announcements = await shared.db.selectFrom("announcements").select("data").execute();
    return {
      feeds: all.map(({ data }) => JSON.parse(data) as Feed),
      progress: all.map(({ progress }) => JSON.parse(progress) as FeedProgress),
      announcements: announcements.map(({ data }) => JSON.parse(data) as Announcement),
      jobs: await shared.db.selectFrom("jobs").select(["queue", "key"]).execute(),
    };
  }

  const clock = {
    now,
    pass: (ms: number) => time.pass(ms, nextJobAt),
    /** All clocks are put forwards or back. */
    jump: time.jump,
    /** Time stands still during that work. */
    hold: <T>(work: () => Promise<T>) => time.counted(work)(),
  };
  const first = await begin();

  /** A channel other than the sandbox creator's. */
  function stranger() {
    const found = [...video.channels.values()].find(({ id }) => id !== video.ownChannelId);
    if (found === undefined) throw new Error("there is only one channel");
    return found;
  }

  /** Begins a feed for all kinds of releases, and lets its first poll happen. */
  async function follow(
    channelId: string,
    places: object = everywhere,
    streams: StreamOptions = { messages: "live" },
  ) {
    const title = video.channels.get(channelId)?.title ?? "?";
    const uploads = `UU${channelId.slice(2)}`;
    const feed = await first.feeds
      .of(guildId)
      .put({ source: channelId, title, uploads, places }, owner);
    await first.feeds.of(guildId).changeStreams(feed.id, () => streams);
    await clock.pass(minute);
    if (feed === undefined) throw new Error("no feed came of it");
    return feed;
  }

  return {
    video,
    clock,
    channel,
    events,
    notifications,
    units,
    begin,
    first,
    rows,
    database: shared,
    of: () => first.feeds.of(guildId),
    disconnect: () => {
      isConnected = false;
    },
    reconnect: () => {
      isConnected = true;
    },
    stranger,
    follow,
    /** Follows a channel other than the sandbox creator's. */
    async followStranger(places?: object, streams?: StreamOptions) {
      const { id: channelId, title } = stranger();
      return { channelId, title, id: (await follow(channelId, places, streams)).id };
    },
    close: async () => {
      first.kill();
      await time.settle();
      await Promise.all([http.close(), video.close()]);
      await Promise.all(closing);
      await shared.close();
    },
  };
}

export type Rig = Awaited<ReturnType<typeof openRig>>;
export type Process = Awaited<ReturnType<Rig["begin"]>>;

export const everywhere = { upload: uploadsHere, live: liveHere, short: shortsHere };

export class Killed extends Error {}

function noKey(): ConnectError {
  return new ConnectError("nothing to read with", { code: "video_key_missing" });
}

export function plenty(now: number): QuotaState {
  return {
    used: 0,
    limit: 10_000,
    left: 10_000,
    reserved: 2_000,
    blocked: false,
    resetsAt: new Date(now + 12 * hour),
  };
}

type Wrap = <A extends unknown[], T>(
  work: (...given: A) => Promise<T>,
) => (...given: A) => Promise<T>;

/** Wraps all access to the database. The transactions of a dead process roll back. */
function guard(own: Database, alive: Wrap, query: Step): Database {
  const { find, need, remove, ...servers } = own.servers;
  return {
    ...fencedDatabase(own, query),
    transaction: (work) => alive(() => own.transaction(alive(work) as typeof work))(),
    servers: { ...servers, find: alive(find), need: alive(need), remove: alive(remove) },
  };
}

interface Timer {
  readonly at: number;
  readonly call: () => unknown;
  /** Polls for jobs: skipped while none is due. */
  readonly isPoll: boolean;
}

/** Time that passes only when a test says so; work started at one moment is finished before the next. */
function createTime() {
  let now = Date.UTC(2026, 10, 21, 12);
  const timers = new Set<Timer>();
  /** How much work, queries included, is running in all processes. */
  let busy = 0;
  /** Resolves when the last work ends. */
  let idle = Promise.withResolvers<void>();

  async function settle(): Promise<void> {
    for (let calm = 0; calm < 4; calm += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (busy === 0) continue;
      calm = -1;
      await idle.promise;
    }
  }

  const counted = <A extends unknown[], T>(work: (...given: A) => Promise<T>) => {
    return async (...given: A): Promise<T> => {
      if (busy === 0) idle = Promise.withResolvers();
      busy += 1;
      try {
        return await work(...given);
      } finally {
        busy -= 1;
        if (busy === 0) idle.resolve();
      }
    };
  };

  async function nextAt(nextJobAt: () => Promise<number>, until: number): Promise<number> {
    const jobAt = await nextJobAt();
    const at = (isPoll: boolean) =>
      Math.min(...[...timers].filter((one) => one.isPoll === isPoll).map((one) => one.at));
    return Math.min(at(false), jobAt <= now ? at(true) : Math.max(at(true), jobAt), until + 1);
  }

  return {
    now: () => now,
    counted,
    settle,
    jump: (ms: number) => {
      now += ms;
    },
    after: (ms: number, call: () => unknown, isPoll: boolean) => {
      const timer = { at: now + ms, call, isPoll };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    pass: async (ms: number, nextJobAt: () => Promise<number>) => {
      const until = now + ms;
      await settle();
      for (;;) {
        const at = await nextAt(nextJobAt, until);
        if (at > until) break;
        now = Math.max(now, at);
        const due = [...timers].filter((one) => one.at <= now).sort((a, b) => a.at - b.at);
        for (const timer of due) {
          if (timers.delete(timer)) timer.call();
          await settle();
        }
      }
      now = until;
      await settle();
    },
  };
}

/** Discord channels, with injected failures. */
function createChannel(now: () => number) {
  const messages: Writable<InChannel>[] = [];
  const closed = new Map<string, string>();
  let fault: (() => "none" | "before" | "after") | undefined;
  const published: string[] = [];
  const threads: string[] = [];
  let refusePublishing: (() => Error | undefined) | undefined;
  let calls = 0;
  let next = 1;
  const check = ({ channelId }: { readonly channelId: string }) => {
    const code = closed.get(channelId);
    if (code !== undefined) throw new AccessError("not there", { code });
  };
  /** Whether the answer to the call under way is cut off. */
  let isCut = false;
  /** The message there. Fails before anything happens, or says that the answer gets lost. */
  function strikeable(at: PostedMessage, also?: "removed") {
    calls += 1;
    check(at);
    const struck = fault?.() ?? "none";
    if (struck === "before") throw unavailable();
    isCut = struck === "after";
    const there = messages.find(({ messageId }) => messageId === at.messageId);
    if (there === undefined || (there.isRemoved && also === undefined)) {
      throw new AccessError("it was removed", { code: "discord_message_gone" });
    }
    return there;
  }
  const channelMessages: PublishableMessages = {
    post: async (message) => {
      calls += 1;
      check(message);
      const struck = fault?.() ?? "none";
      if (struck === "before") throw unavailable();
      // Discord makes only one message of several with the same nonce within a few minutes.
      const same = messages.find(
        (one) =>
          one.message.channelId === message.channelId &&
          one.message.nonce === message.nonce &&
          now() - one.at < 3 * minute,
      );
      const messageId = String(900000000000000000n + BigInt(next++));
      const place = same ?? {
        // A forum's post is a channel with the id of its first message.
        channelId: message.isForum ? messageId : message.channelId,
        messageId,
        message,
        says: message,
        at: now(),
        isRemoved: false,
        isPublished: false,
      };
      if (same === undefined) messages.push(place);
      if (struck === "after") throw cut();
      // No forum has a tag with the id 0.
      const lacksTags = message.tagIds?.includes("0") || undefined;
      return { channelId: place.channelId, messageId: place.messageId, lacksTags };
    },
    edit: async (at, message) => {
      const there = strikeable(at);
      there.says = message;
      if (isCut) throw cut();
    },
    close: async () => undefined,
    publish: async (at) => {
      const refused = refusePublishing?.();
      if (refused !== undefined) throw refused;
      strikeable(at).isPublished = true;
      published.push(at.messageId);
      if (isCut) throw cut();
    },
    openThread: async (_, name) => void threads.push(name),
    remove: async (at) => {
      if (messages.every(({ messageId }) => messageId !== at.messageId)) return;
      const there = strikeable(at, "removed");
      there.isRemoved = true;
      if (isCut) throw cut();
    },
    find: async ({ channelId, handle }, since) => {
      calls += 1;
      check({ channelId });
      if ((fault?.() ?? "none") !== "none") throw unavailable();
      return messages.find(
        (one) =>
          one.channelId === channelId &&
          one.message.handle === handle &&
          one.at >= since &&
          !one.isRemoved,
      );
    },
  };
  return {
    channelMessages,
    messages: messages as readonly InChannel[],
    /** Ids of published messages, and names of threads. */
    published: published as readonly string[],
    threads: threads as readonly string[],
    refusePublishing: (how: typeof refusePublishing) => {
      refusePublishing = how;
    },
    get calls() {
      return calls;
    },
    close: (channelId: string, code = "discord_channel_closed") => closed.set(channelId, code),
    open: (channelId: string) => closed.delete(channelId),
    strike: (how: typeof fault) => {
      fault = how;
    },
    /** What happens to the next call. */
    strikes: () => fault?.() ?? "none",
    /** Somebody removes a message. */
    removeByHand: (messageId: string) => {
      for (const one of messages) if (one.messageId === messageId) one.isRemoved = true;
    },
  };
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** The server's events, with the channel's failures. */
function createEvents(strikes: () => "none" | "before" | "after") {
  const all: Writable<InServer>[] = [];
  let refuse: (() => Error | undefined) | undefined;
  let changes = 0;
  function struck<T>(work: () => T): T {
    const refused = refuse?.();
    if (refused !== undefined) throw refused;
    const how = strikes();
    if (how === "before") throw unavailable();
    const done = work();
    if (how === "after") throw cut();
    return done;
  }
  const isFinal = ({ event: { state } }: InServer) => state === "over" || state === "cancelled";
  const scheduledEvents: ScheduledEvents = {
    create: async (_, event) =>
      struck(() => {
        const id = String(800000000000000000n + BigInt(all.length));
        all.push({ id, event });
        return id;
      }),
    change: async (_, eventId, event) =>
      struck(() => {
        changes += 1;
        const found = all.find(({ id }) => id === eventId);
        if (found === undefined) throw new AccessError("gone", { code: "discord_event_gone" });
        if (!isFinal(found)) found.event = event;
      }),
    find: async (_, url) =>
      struck(() => all.find((one) => one.event.url === url && !isFinal(one))?.id),
  };
  return {
    scheduledEvents,
    all: all as readonly InServer[],
    get changes() {
      return changes;
    },
    refuse: (how: typeof refuse) => {
      refuse = how;
    },
  };
}

function unavailable(): ServiceError {
  return new ServiceError("Discord has trouble", { code: "discord_unavailable" });
}

function cut(): NetworkError {
  return new NetworkError("cut", { code: "cut", outcome: "unknown" });
}

/** The ids of the announced videos in their order, each with its channel. */
export function announcedIn({
  channel,
}: Pick<Rig, "channel">): readonly (readonly [string, string])[] {
  return channel.messages.map(({ message }) => [
    (message.facts as { video: { id: string } }).video.id,
    message.channelId,
  ]);
}
