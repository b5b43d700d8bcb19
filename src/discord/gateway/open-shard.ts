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
import { backOffMs } from "../../clock.ts";
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
/** A connection that held for so long was a good one: what ends it begins a new count. */
const stableMs = 60_000;
/** With half of each wait left to chance, so that many bots don't come back in one moment. The library adds half a second. */
export const reconnectWaits = { firstMs: 500, longestMs: 60_000, jitter: 0.5 };
const { Reconnect } = WebSocketShardDestroyRecovery;

/** What is known of one connection and those that were there before it. */
interface ShardState {
  readonly shard: WebSocketShard;
  readonly log: Log;
  readonly closing: AbortController;
  session: SessionInfo | null;
  readyAt: number | undefined;
  wasReady: boolean;
  failures: number;
  last: Close | undefined;
  trouble: string | undefined;
  resuming: NodeJS.Timeout | undefined;
  pingMs: number | undefined;
}

/** One connection to the gateway, and the ones that follow when it breaks: the library's, with waits that grow between them. */
export function openShard(id: number, deps: ShardDeps): Shard {
  const { options, throttler, log } = deps;
  const strategy: IContextFetchingStrategy = {
    options,
    async retrieveSessionInfo() {
      // Asked without a connection, it is about to open one: the only place where it can be made to wait.
      const isIdle = state.shard.status === WebSocketShardStatus.Idle;
      if (isIdle && !(await mayConnect(state, deps))) return never();
      return state.session;
    },
    updateSessionInfo: (_, next) => {
      state.session = next;
    },
    waitForIdentify: (shardId, signal) => throttler.waitForIdentify(shardId, signal),
  };
  const state: ShardState = {
    shard: new WebSocketShard(strategy, id),
    log: log.child({ shard: id }),
    closing: new AbortController(),
    ...{ session: null, readyAt: undefined, wasReady: false, failures: 0, last: undefined },
    ...{ trouble: undefined, resuming: undefined, pingMs: undefined },
  };
  const { shard } = state;
  listen(state, deps);
  return {
    isConnected: () => shard.status === WebSocketShardStatus.Ready,
    pingMs: () => state.pingMs,
    // What it would reject with is told by the events, and it goes on trying.
    open: () => void shard.connect().catch(() => undefined),
    close: () => close(state),
  };
}

/** Resolves when it is time; with false when there is to be no connection any more. */
async function mayConnect(state: ShardState, deps: ShardDeps): Promise<boolean> {
  const { closing, last, readyAt, log } = state;
  const { now, random, onEnd, wait = waitFor } = deps;
  if (closing.signal.aborted) return false;
  if (last === undefined) return true;
  if (readyAt !== undefined && now() - readyAt >= stableMs) state.failures = 0;
  state.readyAt = undefined;
  state.failures += 1;
  const { failures } = state;
  if (!state.wasReady && failures >= triesAtStart) {
    onEnd(notConnected(last));
    return false;
  }
  const waitMs = backOffMs(failures, { ...reconnectWaits, random });
  log[failures > 1 ? "warn" : "info"]("gateway reconnects", { ...last, failures, waitMs });
  return wait(waitMs, closing.signal).then(
    () => true,
    () => false,
  );
}

function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal });
}

function listen(state: ShardState, { now, onReady, onEvent, onEnd }: ShardDeps): void {
  const { shard } = state;
  const isUp = () => {
    state.readyAt = now();
    state.wasReady = true;
  };
  shard.on(WebSocketShardEvents.Ready, ({ data }) => {
    if (onReady(data)) return isUp();
    void shard.destroy({ reason: "Malformed READY", recover: Reconnect });
  });
  shard.on(WebSocketShardEvents.Resumed, isUp);
  shard.on(WebSocketShardEvents.Dispatch, ({ data }) => onEvent(data.t, data.d));
  shard.on(WebSocketShardEvents.HeartbeatComplete, ({ latency }) => {
    state.pingMs = latency;
  });
  shard.on(WebSocketShardEvents.Hello, () => {
    noteReason(state);
    limitResume(state);
  });
  shard.on(WebSocketShardEvents.Error, ({ error }) => {
    state.trouble = error.message;
  });
  shard.on(WebSocketShardEvents.Closed, ({ code }) => {
    state.last = { code, reason: state.trouble ?? nameOfClose(code) };
    state.trouble = undefined;
    // The socket tells its reason right after.
    queueMicrotask(() => {
      const end = state.last && closedForGood(state.last);
      if (end !== undefined) onEnd(end);
    });
  });
}

/** The library keeps a close's reason to itself. */
function noteReason(state: ShardState): void {
  socketOf(state.shard)?.addEventListener("close", ({ code, reason }) => {
    if (reason !== "") state.last = { code, reason };
  });
}

/** The library waits for READY with a limit, and for RESUMED without one. */
function limitResume(state: ShardState): void {
  const { shard } = state;
  clearTimeout(state.resuming);
  state.resuming = setTimeout(() => {
    if (shard.status !== WebSocketShardStatus.Resuming) return;
    void shard.destroy({ reason: "Resume was not answered", recover: Reconnect });
  }, resumeMs).unref();
}

async function close({ shard, closing }: ShardState): Promise<void> {
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
