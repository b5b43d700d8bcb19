import { setTimeout as sleep } from "node:timers/promises";
import {
  type FetchingStrategyOptions,
  type IContextFetchingStrategy,
  type IIdentifyThrottler,
  type SessionInfo,
  WebSocketShard,
  WebSocketShardDestroyRecovery,
  WebSocketShardEvents,
  WebSocketShardStatus,
} from "@discordjs/ws";
import type { BotError } from "../../errors.ts";
import type { Log } from "../../log.ts";
import { type Close, closedForGood, nameOfClose, notConnected } from "./closes.ts";

export interface ShardDeps {
  readonly options: FetchingStrategyOptions;
  readonly throttler: IIdentifyThrottler;
  readonly log: Log;
  readonly now: () => number;
  readonly random: () => number;
  readonly wait?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
  /** A packet that brings an event. */
  readonly onEvent: (name: string, data: unknown) => void;
  /** A new session; answers whether its first packet can be used. */
  readonly onReady: (data: unknown) => boolean;
  /** No connection will follow. */
  readonly onEnd: (error: BotError) => void;
}

interface Shard {
  readonly isConnected: () => boolean;
  /** Of the last heartbeat. */
  readonly pingMs: () => number | undefined;
  open(): void;
  close(): Promise<void>;
}

/** A start that gets no connection in so many tries ends, so that whoever started it can see it. */
const triesAtStart = 3;
const resumeMs = 30_000;
/** So long the platform may take to answer a close. */
const farewellMs = 2_000;
const { Reconnect } = WebSocketShardDestroyRecovery;

/** One connection to the gateway, and the ones that follow when it breaks: the library's, with waits that grow between them. */
export function openShard(id: number, deps: ShardDeps): Shard {
  const { options, throttler, now, random, onEvent, onReady, onEnd } = deps;
  const wait = deps.wait ?? ((ms, signal) => sleep(ms, undefined, { signal }));
  const log = deps.log.child({ shard: id });
  const closing = new AbortController();
  let session: SessionInfo | null = null;
  let readyAt: number | undefined;
  let wasReady = false;
  let failures = 0;
  let last: Close | undefined;
  let trouble: string | undefined;
  let resuming: NodeJS.Timeout | undefined;
  let pingMs: number | undefined;

  const strategy: IContextFetchingStrategy = {
    options,
    async retrieveSessionInfo() {
      // Asked without a connection, it is about to open one: the only place where it can be made to wait.
      if (shard.status === WebSocketShardStatus.Idle && !(await mayConnect())) return never();
      return session;
    },
    updateSessionInfo: (_, next) => {
      session = next;
    },
    waitForIdentify: (shardId, signal) => throttler.waitForIdentify(shardId, signal),
  };
  const shard = new WebSocketShard(strategy, id);

  /** Resolves when it is time; with false when there is to be no connection any more. */
  async function mayConnect(): Promise<boolean> {
    if (closing.signal.aborted) return false;
    if (last === undefined) return true;
    if (readyAt !== undefined && now() - readyAt >= stableMs) failures = 0;
    readyAt = undefined;
    failures += 1;
    if (!wasReady && failures >= triesAtStart) {
      onEnd(notConnected(last));
      return false;
    }
    const waitMs = waitBefore(failures, random);
    log[failures > 1 ? "warn" : "info"]("gateway reconnects", { ...last, failures, waitMs });
    return wait(waitMs, closing.signal).then(
      () => true,
      () => false,
    );
  }

  const isUp = () => {
    readyAt = now();
    wasReady = true;
  };
  shard.on(WebSocketShardEvents.Ready, ({ data }) => {
    if (onReady(data)) return isUp();
    void shard.destroy({ reason: "Malformed READY", recover: Reconnect });
  });
  shard.on(WebSocketShardEvents.Resumed, isUp);
  shard.on(WebSocketShardEvents.Dispatch, ({ data }) => onEvent(data.t, data.d));
  shard.on(WebSocketShardEvents.HeartbeatComplete, ({ latency }) => {
    pingMs = latency;
  });
  shard.on(WebSocketShardEvents.Hello, () => {
    noteReason();
    clearTimeout(resuming);
    // The library waits for READY with a limit, and for RESUMED without one.
    resuming = setTimeout(() => {
      if (shard.status !== WebSocketShardStatus.Resuming) return;
      void shard.destroy({ reason: "Resume was not answered", recover: Reconnect });
    }, resumeMs).unref();
  });
  shard.on(WebSocketShardEvents.Error, ({ error }) => {
    trouble = error.message;
  });
  shard.on(WebSocketShardEvents.Closed, ({ code }) => {
    last = { code, reason: trouble ?? nameOfClose(code) };
    trouble = undefined;
    // The socket tells its reason right after.
    queueMicrotask(() => {
      const end = last && closedForGood(last);
      if (end !== undefined) onEnd(end);
    });
  });

  /** The library keeps a close's reason to itself. */
  function noteReason(): void {
    socketOf(shard)?.addEventListener("close", ({ code, reason }) => {
      if (reason !== "") last = { code, reason };
    });
  }

  return {
    isConnected: () => shard.status === WebSocketShardStatus.Ready,
    pingMs: () => pingMs,
    // What it would reject with is told by the events, and it goes on trying.
    open: () => void shard.connect().catch(() => undefined),
    async close() {
      closing.abort();
      const socket = socketOf(shard);
      // Cut off while it connects, it reports an error that nobody else listens for by then.
      socket?.addEventListener("error", () => undefined);
      const timer = setTimeout(() => socket?.terminate(), farewellMs);
      // Between the upgrade and its greeting the library closes twice, and the first of the two never ends.
      const closed = new Promise<void>((resolve) => {
        socket?.addEventListener("close", () => resolve());
      });
      await Promise.race([shard.destroy(), closed]);
      clearTimeout(timer);
      socket?.terminate();
    },
  };
}

interface Socket {
  addEventListener(type: "close", listener: (close: Close) => void): void;
  addEventListener(type: "error", listener: () => void): void;
  terminate(): void;
}

/** Private to the library, and absent at worst. */
function socketOf(shard: WebSocketShard): Socket | null {
  // biome-ignore lint/complexity/useLiteralKeys: only so do the types let it be read.
  return shard["connection"];
}

/** The library has no way to be told "no": what waits for this is forgotten. */
function never(): Promise<never> {
  return new Promise(() => undefined);
}

const shortestMs = 500;
const longestMs = 60_000;

/** A connection that held for so long was a good one: what ends it begins a new count. */
const stableMs = 60_000;

/**
 * How long to wait before the connection that follows so many that did not hold: twice as long each time, up to a minute, with
 * as much as half of it left to chance, so that many bots don't come back in one moment. The library adds half a second.
 */
export function waitBefore(failures: number, random: () => number): number {
  const whole = Math.min(shortestMs * 2 ** Math.min(failures - 1, 30), longestMs);
  return Math.round(whole * (0.5 + random() / 2));
}
