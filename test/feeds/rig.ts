import type { Desk, DeskMessage, DeskPlace } from "../../src/desk.ts";
import { AccessError, ConnectError, NetworkError, ServiceError } from "../../src/errors.ts";
import { createFeeds, type Feeds, type FeedsOptions } from "../../src/feeds/index.ts";
import { createHttp } from "../../src/http/index.ts";
import { createLog, createSecrets } from "../../src/log.ts";
import { startVideo, type VideoServer } from "../../src/sandbox/video/index.ts";
import { openStore, type Store } from "../../src/store/index.ts";
import { createVideoClient, type Left } from "../../src/video/index.ts";
import { seeded } from "../support/random.ts";

export const guildId = "100000000000000001";
export const owner = "200000000000000002";
export const uploadsHere = { channelId: "300000000000000003" } as const;
export const liveHere = { channelId: "300000000000000004" } as const;
export const shortsHere = { channelId: "300000000000000005" } as const;
export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** A message as it stands in a channel. */
export interface InChannel extends DeskPlace {
  readonly message: DeskMessage;
  readonly at: number;
}

/** Time that passes only when a test says so; work that a moment starts is done before the next. */
export interface FakeClock {
  now(): number;
  after(ms: number, call: () => void): () => void;
  pass(ms: number): Promise<void>;
}

export interface RigOptions {
  readonly seed?: number;
  readonly callbackUrl?: string;
  readonly hubUrl?: string;
  readonly left?: () => Left;
  /** Takes the lines of the log. */
  readonly write?: (line: string) => void;
  /** Reads as the linked channel when set. */
  readonly asOwner?: boolean;
}

export interface Process {
  readonly feeds: Feeds;
  /** Ends it at once: nothing that it began comes to anything any more. */
  kill(): void;
}

/**
 * The real room over a real stand-in of the service and a real store, with a clock of its own and a channel of Discord's
 * that remembers what was left in it.
 */
export async function openRig(options: RigOptions = {}) {
  const random = seeded(options.seed ?? 1);
  const { write = () => undefined } = options;
  const log = createLog({ level: "info", secrets: createSecrets(), write });
  let now = Date.UTC(2026, 10, 21, 12);
  const timers = new Set<{ at: number; call: () => void }>();
  /** Rounds and reads that are under way in all processes. */
  let busy = 0;
  const video: VideoServer = await startVideo({
    now: () => now,
    random,
    identify: () => ({
      channelId: video.ownChannelId,
      scopes: ["youtube.force-ssl"],
    }),
  });
  const store = await openStore({
    url: "sqlite::memory:",
    keys: [{ id: "one", key: new Uint8Array(32).fill(7) }],
    now: () => now,
  });
  const http = createHttp({ now: Date.now, random });
  const channel = createChannel(() => now);
  const told: { readonly name: string; readonly facts: unknown }[] = [];
  const units = { spent: 0 };
  let isConnected = true;

  async function settle(): Promise<void> {
    for (let calm = 0; calm < 4; ) {
      await new Promise((resolve) => setImmediate(resolve));
      calm = busy === 0 ? calm + 1 : 0;
    }
  }

  const clock: FakeClock = {
    now: () => now,
    after: (ms, call) => {
      const timer = { at: now + ms, call };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    pass: async (ms) => {
      const until = now + ms;
      await settle();
      for (;;) {
        const next = [...timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        timers.delete(next);
        now = Math.max(now, next.at);
        next.call();
        await settle();
      }
      now = until;
      await settle();
    },
  };

  const counted = <A extends unknown[], T>(work: (...given: A) => Promise<T>) => {
    return async (...given: A): Promise<T> => {
      busy += 1;
      try {
        return await work(...given);
      } finally {
        busy -= 1;
      }
    };
  };

  /** A room of its own over the same store, as a process has one. */
  function begin(change: Partial<FeedsOptions> = {}): Process {
    let isDead = false;
    const dead = () => new Promise<never>(() => undefined);
    /** Of a killed process nothing goes out and nothing comes back. */
    const alive = <A extends unknown[], T>(work: (...given: A) => Promise<T>) => {
      return counted(async (...given: A): Promise<T> => {
        if (isDead) throw new Killed();
        const answer = await work(...given);
        if (isDead) throw new Killed();
        return answer;
      });
    };
    void dead;
    const desk: Desk = {
      post: alive(channel.desk.post),
      edit: alive(channel.desk.edit),
      remove: alive(channel.desk.remove),
      find: alive(channel.desk.find),
    };
    const guarded = guard(store, alive);
    const feeds = createFeeds({
      store: guarded,
      desk,
      http,
      video: alive(async () => {
        if (!isConnected) throw noKey();
        const client = createVideoClient({
          ...{ baseUrl: video.url, http, now: Date.now },
          ...(options.asOwner ? { token: "owner" } : { key: video.key }),
        });
        return {
          ...client,
          call: alive(async (method, params, how) => {
            units.spent += 1;
            return client.call(method, params, how);
          }) as typeof client.call,
        };
      }),
      left: async () => options.left?.() ?? plenty(now),
      tell: alive(async (happening) => {
        told.push(happening);
      }),
      owns: () => !isDead,
      hub: {
        url: options.hubUrl ?? "http://127.0.0.1:9/subscribe",
        callbackUrl: options.callbackUrl,
      },
      clock: {
        now: () => now,
        after: (ms, call) => clock.after(ms, () => !isDead && call()),
      },
      random,
      log,
      ...change,
    });
    feeds.start();
    return {
      feeds,
      kill: () => {
        isDead = true;
      },
    };
  }

  const first = begin();
  return {
    ...{ video, store, clock, channel, told, units, begin, settle, first },
    of: () => first.feeds.of(guildId),
    disconnect: () => {
      isConnected = false;
    },
    reconnect: () => {
      isConnected = true;
    },
    /** Another channel than the sandbox creator's. */
    stranger: () => {
      const found = [...video.channels.values()].find(({ id }) => id !== video.ownChannelId);
      if (found === undefined) throw new Error("there is only one channel");
      return found;
    },
    /** Begins a feed for all kinds and lets the first look happen. */
    async follow(channelId: string, places: object = everywhere) {
      const title = video.channels.get(channelId)?.title ?? "?";
      const uploads = `UU${channelId.slice(2)}`;
      const feed = await first.feeds
        .of(guildId)
        .put({ source: channelId, title, uploads, places }, owner);
      await clock.pass(minute);
      if (feed === undefined) throw new Error("no feed came of it");
      return feed;
    },
    close: async () => {
      await first.feeds.close();
      await Promise.all([http.close(), video.close(), store.close()]);
    },
  };
}

export type Rig = Awaited<ReturnType<typeof openRig>>;

export const everywhere = { upload: uploadsHere, live: liveHere, short: shortsHere };

export class Killed extends Error {}

function noKey(): ConnectError {
  return new ConnectError("nothing to read with", { code: "video_key_missing", hint: "Connect." });
}

export function plenty(now: number): Left {
  return {
    ...{ used: 0, limit: 10_000, left: 10_000, reserved: 2_000, blocked: false },
    resetsAt: new Date(now + 12 * hour),
  };
}

type Wrap = <A extends unknown[], T>(
  work: (...given: A) => Promise<T>,
) => (...given: A) => Promise<T>;

/** Each way into the store. A dead process's writes come to nothing. */
function guard({ feeds, guilds, leases, tickets }: Store, alive: Wrap): FeedsOptions["store"] {
  const rows = <T extends object>(target: T): T =>
    Object.fromEntries(
      Object.entries(target).map(([name, work]) => [name, alive(work as never)]),
    ) as T;
  return {
    feeds: {
      feeds: rows(feeds.feeds),
      progress: rows(feeds.progress),
      announcements: rows(feeds.announcements),
    },
    leases: rows(leases),
    tickets: rows(tickets),
    guilds,
  };
}

/** Channels of Discord's, with what can go wrong there. */
function createChannel(now: () => number) {
  const messages: InChannel[] = [];
  const closed = new Map<string, string>();
  let fault: (() => "none" | "before" | "after") | undefined;
  let calls = 0;
  let next = 1;
  const check = ({ channelId }: { readonly channelId: string }) => {
    const code = closed.get(channelId);
    if (code !== undefined) throw new AccessError("not there", { code, hint: "-" });
  };
  const desk: Desk = {
    post: async (message) => {
      calls += 1;
      check(message);
      const struck = fault?.() ?? "none";
      if (struck === "before") throw unavailable();
      // The platform makes one message of the same nonce for a few minutes.
      const same = messages.find(
        (one) =>
          one.message.channelId === message.channelId &&
          one.message.nonce === message.nonce &&
          now() - one.at < 3 * minute,
      );
      const place = same ?? {
        channelId: message.channelId,
        messageId: String(900000000000000000n + BigInt(next++)),
        message,
        at: now(),
      };
      if (same === undefined) messages.push(place);
      if (struck === "after") throw cut();
      return { channelId: place.channelId, messageId: place.messageId };
    },
    edit: async () => undefined,
    remove: async () => undefined,
    find: async ({ channelId, handle }, since) => {
      calls += 1;
      check({ channelId });
      if ((fault?.() ?? "none") !== "none") throw unavailable();
      return messages.find(
        (one) => one.channelId === channelId && one.message.handle === handle && one.at >= since,
      );
    },
  };
  return {
    desk,
    messages: messages as readonly InChannel[],
    get calls() {
      return calls;
    },
    close: (channelId: string, code = "discord_channel_closed") => closed.set(channelId, code),
    open: (channelId: string) => closed.delete(channelId),
    strike: (how: typeof fault) => {
      fault = how;
    },
  };
}

function unavailable(): ServiceError {
  return new ServiceError("Discord has trouble", { code: "discord_unavailable", hint: "Wait." });
}

function cut(): NetworkError {
  return new NetworkError("cut", { code: "cut", hint: "Wait.", outcome: "unknown" });
}

/** Ids of the videos that were announced, in their order, with the channel. */
export function announcedIn({
  channel,
}: Pick<Rig, "channel">): readonly (readonly [string, string])[] {
  return channel.messages.map(({ message }) => [
    (message.facts as { video: { id: string } }).video.id,
    message.channelId,
  ]);
}
