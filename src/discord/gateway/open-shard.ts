import {
  CloseCodes,
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
import { waitFor } from "../wire/wait-for-discord.ts";
import { closeNames, finalCloseError, type GatewayClose } from "./gateway-close.ts";
import type { SessionSaver } from "./session-saver.ts";

export interface ShardDeps {
  readonly options: FetchingStrategyOptions;
  readonly throttler: IIdentifyThrottler;
  /** What the operator has set; undefined where Discord's recommendation is used. */
  readonly shardCount: number | undefined;
  /** A session of an earlier process, to go on with. */
  readonly session: SessionInfo | undefined;
  readonly log: Log;
  readonly now: () => number;
  readonly random: () => number;
  readonly wait?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
  /** Called with each event. */
  readonly onEvent: (name: string, data: unknown) => void;
  /** Called with the first packet of a new session; answers whether it can be used. */
  readonly onReady: (data: unknown) => boolean;
  /** Called when the connection is up, with a new session or an old one. */
  readonly onUp: () => void;
  readonly sessions: Pick<SessionSaver, "begin" | "advance">;
  /** Called when no connection will follow. */
  readonly onEnd: (error: BotError) => void;
}

/** After some minutes without a connection the session is gone, and its address may be too. */
const maxResumeTries = 9;
const resumeTimeoutMs = 30_000;
/** How long Discord may take to answer a close. */
const closeTimeoutMs = 2_000;
/** A connection that lasted this long was a good one: failures are counted from zero after it. */
const stableMs = 60_000;
/** Half of each wait is random, so that many bots don't reconnect at the same moment. The library adds half a second. */
export const reconnectWaits = { firstMs: 500, longestMs: 60_000, jitter: 0.5 };
const { Reconnect } = WebSocketShardDestroyRecovery;

/** What is known about one connection and the ones before it. */
interface ShardState {
  readonly shard: WebSocketShard;
  readonly log: Log;
  readonly closing: AbortController;
  session: SessionInfo | null;
  readyAt: number | undefined;
  failures: number;
  last: GatewayClose | undefined;
  lastError: string | undefined;
  resuming: NodeJS.Timeout | undefined;
  pingMs: number | undefined;
}

/** Keeps one of the library's connections to the gateway open: after each break another follows, with growing waits between them. */
export function openShard(id: number, deps: ShardDeps) {
  const { options, throttler, log } = deps;
  const strategy: IContextFetchingStrategy = {
    options,
    async retrieveSessionInfo() {
      // Without a connection, the library asks this right before it opens one: the only place where it can be made to wait.
      const isIdle = state.shard.status === WebSocketShardStatus.Idle;
      // The library offers no way to refuse, so it gets a promise that never settles and is garbage collected.
      if (isIdle && !(await mayConnect(state, deps))) return new Promise(() => undefined);
      return state.session;
    },
    updateSessionInfo: (_, next) => {
      // At the end the library forgets it, and the process that follows needs it.
      if (!state.closing.signal.aborted) state.session = next;
    },
    waitForIdentify: (shardId, signal) => throttler.waitForIdentify(shardId, signal),
  };
  const state: ShardState = {
    shard: new WebSocketShard(strategy, id),
    log: log.child({ shard: id }),
    closing: new AbortController(),
    session: deps.session ?? null,
    readyAt: undefined,
    failures: 0,
    last: undefined,
    lastError: undefined,
    resuming: undefined,
    pingMs: undefined,
  };
  const { shard } = state;
  listen(state, deps);
  return {
    isConnected: () => shard.status === WebSocketShardStatus.Ready,
    /** Of the last heartbeat. */
    pingMs: () => state.pingMs,
    // The events report the reason too, and the library keeps trying.
    open: () => void shard.connect().catch(() => undefined),
    close: () => close(state),
  };
}

/** Resolves when it is time to connect; with false when there must be no connection any more. */
async function mayConnect(state: ShardState, deps: ShardDeps): Promise<boolean> {
  const { closing, last, readyAt, log } = state;
  const { now, random, wait = waitFor } = deps;
  if (closing.signal.aborted) return false;
  if (last === undefined) return true;
  if (readyAt !== undefined && now() - readyAt >= stableMs) state.failures = 0;
  state.readyAt = undefined;
  state.failures += 1;
  const { failures } = state;
  if (failures > maxResumeTries) state.session = null;
  const waitMs = backOffMs(failures, { ...reconnectWaits, random });
  log[failures > 1 ? "warn" : "info"]("gateway reconnects", { ...last, failures, waitMs });
  return wait(waitMs, closing.signal).then(
    () => true,
    () => false,
  );
}

function listen(state: ShardState, deps: ShardDeps): void {
  const { shard, closing } = state;
  const { now, onReady, onUp, onEvent, onEnd, sessions } = deps;
  const isUp = () => {
    state.readyAt = now();
    onUp();
  };
  shard.on(WebSocketShardEvents.Ready, ({ data }) => {
    if (!onReady(data)) {
      void shard.destroy({ reason: "Malformed READY", recover: Reconnect });
      return;
    }
    if (state.session !== null) sessions.begin(state.session);
    isUp();
  });
  shard.on(WebSocketShardEvents.Resumed, isUp);
  shard.on(WebSocketShardEvents.Dispatch, ({ data }) => {
    // What arrives from now on is left for the process that follows.
    if (closing.signal.aborted) return;
    onEvent(data.t, data.d);
    if (state.session !== null) sessions.advance(state.session);
  });
  shard.on(WebSocketShardEvents.HeartbeatComplete, ({ latency }) => {
    state.pingMs = latency;
  });
  shard.on(WebSocketShardEvents.Hello, () => {
    // The library does not pass on a close's reason.
    findSocket(shard)?.addEventListener("close", ({ code, reason }) => {
      if (reason !== "") state.last = { code, reason };
    });
    // The library limits the wait for READY, but not the wait for RESUMED.
    clearTimeout(state.resuming);
    state.resuming = setTimeout(() => {
      if (shard.status !== WebSocketShardStatus.Resuming) return;
      void shard.destroy({ reason: "Resume was not answered", recover: Reconnect });
    }, resumeTimeoutMs).unref();
  });
  shard.on(WebSocketShardEvents.Error, ({ error }) => {
    state.lastError = error.message;
  });
  shard.on(WebSocketShardEvents.Closed, ({ code }) => {
    state.last = { code, reason: state.lastError ?? closeNames[code] ?? "Unknown" };
    state.lastError = undefined;
    // The socket's own reason arrives right after this.
    queueMicrotask(() => {
      const end = state.last && finalCloseError(state.last, deps.shardCount);
      if (end !== undefined) onEnd(end);
    });
  });
}

async function close({ shard, closing }: ShardState): Promise<void> {
  closing.abort();
  const socket = findSocket(shard);
  // A socket that is cut off while it connects emits an error that nobody else listens for by then.
  socket?.addEventListener("error", () => undefined);
  const timer = setTimeout(() => socket?.terminate(), closeTimeoutMs);
  // Between the upgrade and Hello the library closes twice, and the first close never ends.
  const closed = new Promise<void>((resolve) => {
    socket?.addEventListener("close", () => resolve());
  });
  await Promise.race([shard.destroy({ code: CloseCodes.Resuming }), closed]);
  clearTimeout(timer);
  socket?.terminate();
}

interface Socket {
  addEventListener(type: "close", listener: (close: GatewayClose) => void): void;
  addEventListener(type: "error", listener: () => void): void;
  terminate(): void;
}

/** Private to the library, and absent at worst. */
function findSocket(shard: WebSocketShard): Socket | null {
  // biome-ignore lint/complexity/useLiteralKeys: only this form lets the types read a private field.
  return shard["connection"];
}
