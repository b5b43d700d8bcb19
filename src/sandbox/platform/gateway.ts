import { randomBytes } from "node:crypto";
import type { RawData, WebSocket } from "ws";
import { isFields } from "./check/check.ts";
import { closeFor, op, type Violation } from "./gateway-codes.ts";
import { type Packet, ready, type Session, shardOf } from "./gateway-session.ts";
import type { World } from "./world.ts";

const maxReplayed = 1_000;
// Sends allowed on one connection: https://docs.discord.com/developers/events/gateway#rate-limiting
const maxSends = 120;
const sendWindowMs = 60_000;
const allIntents = (1 << 26) - 1;

export interface GatewayEvent {
  readonly name: string;
  readonly data: unknown;
}

/** The event side of the platform: one session per identified shard. */
export interface Gateway {
  accept(socket: WebSocket): void;
  /** Sends an event to the shard of the guild; kept for a resume while nobody is connected. */
  dispatch(name: string, data: object, guildId: string): void;
  /** The intents that each session identified with. */
  intents(): readonly number[];
  /** Breaks all connections as a network would, or with a close code and its reason. */
  drop(code?: number, reason?: string): void;
  /** Sends a packet as it is to all connections, malformed ones too. */
  send(packet: unknown): void;
  /** Asks all connections to reconnect and resume. */
  reconnect(): void;
  /** Ends all sessions: whoever resumes must identify anew. */
  invalidate(isResumable?: boolean): void;
  close(): void;
}

export interface GatewayOptions {
  readonly heartbeatMs: number;
  readonly onEvent?: (event: GatewayEvent) => void;
}

export function createGateway(world: World, { heartbeatMs, onEvent }: GatewayOptions): Gateway {
  const sessions = new Map<string, Session>();
  const sockets = new Set<WebSocket>();

  function sendTo(socket: WebSocket, packet: Packet): void {
    socket.send(JSON.stringify(packet));
  }

  function control(socket: WebSocket, code: number, d: unknown): void {
    sendTo(socket, { op: code, d, s: null, t: null });
  }

  function emit(session: Session, name: string, data: unknown): void {
    session.seq += 1;
    const packet = { op: op.dispatch, d: data, s: session.seq, t: name };
    session.sent.push(packet);
    if (session.sent.length > maxReplayed) session.sent.shift();
    if (session.socket !== undefined) sendTo(session.socket, packet);
    onEvent?.({ name, data });
  }

  function updateOnline(): void {
    const online = [...sessions.values()].some((session) => session.socket !== undefined);
    if (online === world.isOnline) return;
    world.isOnline = online;
    world.publish({ type: "online", online });
  }

  function bind(session: Session, socket: WebSocket): void {
    session.socket = socket;
    updateOnline();
    socket.on("close", () => {
      if (session.socket === socket) session.socket = undefined;
      updateOnline();
    });
  }

  function identify(socket: WebSocket, d: unknown): Session | undefined {
    if (!isFields(d) || d.token !== world.token) {
      closeFor(socket, "authenticationFailed");
      return undefined;
    }
    const { intents, shard = [0, 1] } = d;
    if (typeof intents !== "number" || intents < 0 || intents > allIntents) {
      closeFor(socket, "invalidIntents");
      return undefined;
    }
    if (!isShard(shard)) {
      closeFor(socket, "invalidShard");
      return undefined;
    }
    if (!isFields(d.properties)) {
      closeFor(socket, "decode");
      return undefined;
    }
    forgetAbandoned(shard);
    const session: Session = {
      id: randomBytes(16).toString("hex"),
      shard,
      intents,
      sent: [],
      seq: 0,
      socket: undefined,
    };
    sessions.set(session.id, session);
    bind(session, socket);
    emit(session, "READY", ready(world, session));
    return session;
  }

  /** A bot that starts anew has given up the session it lost. */
  function forgetAbandoned([shard, count]: readonly [number, number]): void {
    for (const { id, socket, shard: other } of sessions.values()) {
      if (socket === undefined && other[0] === shard && other[1] === count) sessions.delete(id);
    }
  }

  function resume(socket: WebSocket, d: unknown): Session | undefined {
    if (!isFields(d) || d.token !== world.token) {
      closeFor(socket, "authenticationFailed");
      return undefined;
    }
    const session = sessions.get(String(d.session_id));
    const seq = Number(d.seq);
    if (session === undefined || session.seq - seq > session.sent.length) {
      control(socket, op.invalidSession, false);
      return undefined;
    }
    if (!(seq <= session.seq)) {
      sessions.delete(session.id);
      closeFor(socket, "invalidSeq");
      return undefined;
    }
    bind(session, socket);
    for (const packet of session.sent.filter(({ s }) => (s ?? 0) > seq)) sendTo(socket, packet);
    emit(session, "RESUMED", { _trace: [] });
    return session;
  }

  function accept(socket: WebSocket): void {
    let session: Session | undefined;
    let lastBeat = performance.now();
    const sends: number[] = [];
    sockets.add(socket);
    control(socket, op.hello, { heartbeat_interval: heartbeatMs, _trace: [] });
    const watch = setInterval(() => {
      if (performance.now() - lastBeat > heartbeatMs * 2) {
        closeFor(socket, "timedOut");
      }
    }, heartbeatMs).unref();

    /** Does what the packet asks; answers the close code when it may not be. */
    function receive(raw: RawData): Violation | undefined {
      const packet = parse(raw);
      if (packet === undefined) return "decode";
      const now = performance.now();
      sends.push(now);
      while ((sends[0] ?? now) < now - sendWindowMs) sends.shift();
      if (sends.length > maxSends) return "rateLimited";
      switch (packet.op) {
        case op.heartbeat:
          lastBeat = now;
          control(socket, op.acknowledge, null);
          return undefined;
        case op.identify:
        case op.resume:
          if (session !== undefined) return "alreadyAuthenticated";
          session = (packet.op === op.identify ? identify : resume)(socket, packet.d);
          return undefined;
        case op.presence:
        case op.voice:
        case op.members:
          return session === undefined ? "notAuthenticated" : undefined;
        default:
          return "unknownOpcode";
      }
    }

    socket.on("message", (raw) => {
      const violation = receive(raw);
      if (violation !== undefined) closeFor(socket, violation);
    });
    // A broken connection is followed by `close`, which is all that matters here.
    socket.on("error", () => undefined);
    socket.on("close", (code) => {
      clearInterval(watch);
      sockets.delete(socket);
      // A clean close by the client ends its session.
      if (session !== undefined && (code === 1_000 || code === 1_001)) sessions.delete(session.id);
    });
  }

  function connected(): readonly Session[] {
    return [...sessions.values()].filter((session) => session.socket !== undefined);
  }

  return {
    accept,
    dispatch(name, data, guildId) {
      for (const session of sessions.values()) {
        const [shard, count] = session.shard;
        if (shardOf(guildId, count) === shard) emit(session, name, data);
      }
    },
    intents: () => [...sessions.values()].map((session) => session.intents),
    drop(code, reason) {
      for (const socket of sockets) {
        if (code === undefined) socket.terminate();
        else socket.close(code, reason);
      }
    },
    send(packet) {
      for (const socket of sockets) socket.send(JSON.stringify(packet));
    },
    reconnect() {
      for (const { socket } of connected()) if (socket) control(socket, op.reconnect, null);
    },
    invalidate(isResumable = false) {
      const open = connected().map(({ socket }) => socket);
      if (!isResumable) sessions.clear();
      for (const socket of open) if (socket) control(socket, op.invalidSession, isResumable);
    },
    close() {
      for (const socket of sockets) socket.terminate();
    },
  };
}

function isShard(value: unknown): value is [number, number] {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [id, count] = value;
  return Number.isInteger(id) && Number.isInteger(count) && id >= 0 && id < count;
}

function parse(raw: RawData): { op: unknown; d: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(String(raw));
    return isFields(value) ? { op: value.op, d: value.d } : undefined;
  } catch {
    return undefined;
  }
}
