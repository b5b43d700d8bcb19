import { randomBytes } from "node:crypto";
import type { RawData, WebSocket } from "ws";
import { isObject } from "./check/check.ts";
import {
  closeFor,
  createConnection,
  type GatewayConnection,
  gatewayOpcodes,
  readTransport,
  type Violation,
} from "./gateway-connection.ts";
import { heardEvent } from "./gateway-events.ts";
import {
  bindConnection,
  type GatewayRegistry,
  type GatewaySession,
  guildEvents,
  memberChunks,
  type PlatformGatewayOptions,
  readyData,
  sendControl,
  sendEvent,
  sessionsFor,
  shardGuilds,
  unbindConnection,
} from "./gateway-session.ts";
import type { PlatformState } from "./state.ts";

const greetingMs = 10;

/** Discord's gateway: one session per identified shard. */
export interface PlatformGateway {
  /** Sends HELLO to a bot; `query` says which version and compression it wants. */
  accept(socket: WebSocket, query: URLSearchParams): void;
  /** Sends an event to the server's shard, whatever its intents; stored for a resume while it is disconnected. */
  dispatch(name: string, data: object, guildId: string): void;
  /** The intents that each session identified with. */
  intents(): readonly number[];
  /** Breaks all connections as a network would, or with a close code and its reason. */
  drop(code?: number, reason?: string): void;
  /** Sends a packet as it is to all connections, malformed ones too. */
  send(packet: unknown): void;
  /** Asks all connections to reconnect and resume. */
  reconnect(): void;
  /** Ends all sessions: a bot that resumes must identify again. */
  invalidate(isResumable?: boolean): void;
  close(): void;
}

export function createGateway(
  state: PlatformState,
  options: PlatformGatewayOptions,
): PlatformGateway {
  const sessions = new Map<string, GatewaySession>();
  const connections = new Set<GatewayConnection>();
  const identified = new Map<GatewayConnection, GatewaySession>();
  const gateway: GatewayRegistry = {
    ...options,
    state,
    sessions,
    connections,
    identified,
    identifiedAt: new Map(),
  };

  state.onDispatch((event) => {
    const heard = heardEvent(state, event);
    // What belongs to no server goes to the first shard.
    for (const session of sessionsFor(gateway, heard?.guildId ?? "0")) {
      if (!heard?.isFor(session.intents)) continue;
      sendEvent(gateway, session, { name: heard.name, data: heard.dataFor(session.intents) });
    }
  });

  return {
    accept: (socket, query) => accept(gateway, socket, query),
    dispatch(name, data, guildId) {
      for (const session of sessionsFor(gateway, guildId))
        sendEvent(gateway, session, { name, data });
    },
    intents: () => [...sessions.values()].map((session) => session.intents),
    drop(code, reason) {
      for (const connection of connections) {
        if (code === undefined) connection.socket.terminate();
        else connection.close(code, reason);
      }
    },
    send(packet) {
      for (const connection of connections) connection.send(packet);
    },
    reconnect() {
      for (const connection of identified.keys())
        sendControl(connection, gatewayOpcodes.reconnect, null);
    },
    invalidate(isResumable = false) {
      if (!isResumable) sessions.clear();
      for (const connection of [...identified.keys()]) {
        // The client then identifies or resumes on the same connection, or on another.
        unbindConnection(gateway, connection);
        sendControl(connection, gatewayOpcodes.invalidSession, isResumable);
      }
    },
    close() {
      for (const { socket } of connections) socket.terminate();
    },
  };
}

function accept(gateway: GatewayRegistry, socket: WebSocket, query: URLSearchParams): void {
  const { connections, identified, sessions, heartbeatMs } = gateway;
  // A broken connection is followed by `close`, which is all that matters here.
  socket.on("error", () => undefined);
  const transport = readTransport(query);
  if (typeof transport === "string") {
    closeFor(socket, transport);
    return;
  }
  const connection = createConnection(socket, transport);
  const pulse: Pulse = { lastBeat: performance.now(), sends: [] };
  connections.add(connection);
  // On a real network HELLO takes a while; libraries lose a packet that arrives together with the upgrade.
  setTimeout(() => {
    sendControl(connection, gatewayOpcodes.hello, { heartbeat_interval: heartbeatMs, _trace: [] });
  }, greetingMs);
  const watch = setInterval(() => {
    if (performance.now() - pulse.lastBeat > heartbeatMs * 2) closeFor(connection, "timedOut");
  }, heartbeatMs).unref();
  socket.on("message", (raw) => {
    const violation = receive(gateway, connection, { raw, pulse });
    if (violation !== undefined) closeFor(connection, violation);
  });
  socket.on("close", (code) => {
    clearInterval(watch);
    connections.delete(connection);
    const session = identified.get(connection);
    unbindConnection(gateway, connection);
    // A clean close by the client ends its session.
    if (session !== undefined && (code === 1_000 || code === 1_001)) sessions.delete(session.id);
  });
}

// Sends allowed on one connection: https://docs.discord.com/developers/events/gateway#rate-limiting
const maxSends = 120;
const sendWindowMs = 60_000;
const allIntents = (1 << 26) - 1;
// https://docs.discord.com/developers/events/gateway#sending-events
const maxPacketBytes = 4_096;

/** When a connection was last heard of, and when it sent something within the window. */
interface Pulse {
  lastBeat: number;
  readonly sends: number[];
}

/** Handles a packet. Returns the violation that the connection must be closed for, if there is one. */
function receive(
  gateway: GatewayRegistry,
  connection: GatewayConnection,
  { raw, pulse }: { readonly raw: RawData; readonly pulse: Pulse },
): Violation | undefined {
  const packet = parse(raw);
  if (packet === undefined) return "decode";
  const now = performance.now();
  const { sends } = pulse;
  sends.push(now);
  while ((sends[0] ?? now) < now - sendWindowMs) sends.shift();
  if (sends.length > maxSends) return "rateLimited";
  switch (packet.op) {
    case gatewayOpcodes.heartbeat:
      pulse.lastBeat = now;
      sendControl(connection, gatewayOpcodes.acknowledge, null);
      return undefined;
    case gatewayOpcodes.identify:
    case gatewayOpcodes.resume:
      if (gateway.identified.has(connection)) return "alreadyAuthenticated";
      return (packet.op === gatewayOpcodes.identify ? identify : resume)(
        gateway,
        connection,
        packet.d,
      );
    case gatewayOpcodes.members: {
      const session = gateway.identified.get(connection);
      if (session === undefined) return "notAuthenticated";
      for (const data of memberChunks(gateway.state, session, packet.d)) {
        sendEvent(gateway, session, { name: "GUILD_MEMBERS_CHUNK", data });
      }
      return undefined;
    }
    case gatewayOpcodes.presence:
    case gatewayOpcodes.voice:
      return gateway.identified.has(connection) ? undefined : "notAuthenticated";
    default:
      return "unknownOpcode";
  }
}

function parse(raw: RawData): { op: unknown; d: unknown } | undefined {
  const text = String(raw);
  if (Buffer.byteLength(text) > maxPacketBytes) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { op: value.op, d: value.d } : undefined;
  } catch {
    return undefined;
  }
}

function identify(
  gateway: GatewayRegistry,
  connection: GatewayConnection,
  d: unknown,
): Violation | undefined {
  const { state, sessions } = gateway;
  if (!isObject(d) || !isToken(state, d.token)) return "authenticationFailed";
  const { intents, shard = [0, 1] } = d;
  if (typeof intents !== "number" || intents < 0 || intents > allIntents) return "invalidIntents";
  if (!isShard(shard)) return "invalidShard";
  if (!isObject(d.properties)) return "decode";
  if (shardGuilds(state, { shard }).length > maxShardGuilds) return "shardingRequired";
  if (!takeBucket(gateway, shard[0])) {
    sendControl(connection, gatewayOpcodes.invalidSession, false);
    return undefined;
  }
  // A bot that identifies again has given up the session it lost.
  for (const { id, connection: bound, shard: other } of sessions.values()) {
    const isSame = other[0] === shard[0] && other[1] === shard[1];
    if (bound === undefined && isSame) sessions.delete(id);
  }
  if (d.compress === true) connection.compressLarge();
  const id = randomBytes(16).toString("hex");
  const session: GatewaySession = { id, shard, intents, sent: [], seq: 0, connection: undefined };
  sessions.set(id, session);
  bindConnection(gateway, session, connection);
  sendEvent(gateway, session, { name: "READY", data: readyData(state, session) });
  for (const data of guildEvents(state, session)) {
    sendEvent(gateway, session, { name: "GUILD_CREATE", data });
  }
  return undefined;
}

// https://docs.discord.com/developers/events/gateway#sharding
const maxShardGuilds = 2_500;

/** Whether this shard may identify now; if so, its bucket rests from now on. */
function takeBucket({ state: { logins }, identifiedAt }: GatewayRegistry, shard: number): boolean {
  const bucket = shard % logins.maxConcurrency;
  const now = performance.now();
  const last = identifiedAt.get(bucket) ?? Number.NEGATIVE_INFINITY;
  if (now - last < (logins.restMs ?? 0)) return false;
  identifiedAt.set(bucket, now);
  logins.remaining = Math.max(0, logins.remaining - 1);
  return true;
}

/** Libraries send the token as they send it in requests, or bare. */
function isToken(state: PlatformState, token: unknown): boolean {
  return typeof token === "string" && token.replace(/^Bot /, "") === state.token;
}

function isShard(value: unknown): value is [number, number] {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [id, count] = value;
  return Number.isInteger(id) && Number.isInteger(count) && id >= 0 && id < count;
}

function resume(
  gateway: GatewayRegistry,
  connection: GatewayConnection,
  d: unknown,
): Violation | undefined {
  const { state, sessions } = gateway;
  if (!isObject(d) || !isToken(state, d.token)) return "authenticationFailed";
  const session = sessions.get(String(d.session_id));
  const seq = Number(d.seq);
  if (session === undefined || session.seq - seq > session.sent.length) {
    sendControl(connection, gatewayOpcodes.invalidSession, false);
    return undefined;
  }
  if (!(seq <= session.seq)) {
    sessions.delete(session.id);
    return "invalidSeq";
  }
  bindConnection(gateway, session, connection);
  for (const packet of session.sent.filter(({ s }) => (s ?? 0) > seq)) connection.send(packet);
  sendEvent(gateway, session, { name: "RESUMED", data: { _trace: [] } });
  return undefined;
}
