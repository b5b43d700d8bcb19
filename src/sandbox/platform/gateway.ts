import { randomBytes } from "node:crypto";
import type { RawData, WebSocket } from "ws";
import { isFields } from "./check/check.ts";
import { closeFor, op, type Violation } from "./gateway-codes.ts";
import { createConnection, type GatewayConnection, transportOf } from "./gateway-connection.ts";
import { heardEvent } from "./gateway-events.ts";
import { memberChunks } from "./gateway-members.ts";
import { guildEvents, ready, type Session, shardOf } from "./gateway-session.ts";
import type { World } from "./world.ts";

const greetingMs = 10;
const maxReplayed = 1_000;
// Sends allowed on one connection: https://docs.discord.com/developers/events/gateway#rate-limiting
const maxSends = 120;
const sendWindowMs = 60_000;
const allIntents = (1 << 26) - 1;
// https://docs.discord.com/developers/events/gateway#sending-events
const maxPacketBytes = 4_096;

export interface GatewayEvent {
  readonly name: string;
  readonly data: unknown;
}

/** The event side of the platform: one session per identified shard. */
export interface Gateway {
  /** Greets a bot; the query of the address that it opened says how it wants to be spoken to. */
  accept(socket: WebSocket, query: URLSearchParams): void;
  /** Sends an event to the shard of the guild, whatever it asked for; kept for a resume while nobody is connected. */
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
  const connections = new Set<GatewayConnection>();
  /** Who has identified or resumed, until the session ends. */
  const identified = new Map<GatewayConnection, Session>();

  function control(connection: GatewayConnection, code: number, d: unknown): void {
    connection.send({ op: code, d, s: null, t: null });
  }

  function emit(session: Session, name: string, data: unknown): void {
    session.seq += 1;
    const packet = { op: op.dispatch, d: data, s: session.seq, t: name };
    session.sent.push(packet);
    if (session.sent.length > maxReplayed) session.sent.shift();
    session.connection?.send(packet);
    onEvent?.({ name, data });
  }

  function ofGuild(guildId: string): readonly Session[] {
    return [...sessions.values()].filter(({ shard: [shard, count] }) => {
      return shardOf(guildId, count) === shard;
    });
  }

  world.onDispatch((event) => {
    const heard = heardEvent(world, event);
    // What belongs to no server goes to the first shard.
    for (const session of ofGuild(heard?.guildId ?? "0")) {
      if (heard?.isFor(session.intents)) emit(session, heard.name, heard.dataFor(session.intents));
    }
  });

  function updateOnline(): void {
    const online = identified.size > 0;
    if (online === world.isOnline) return;
    world.isOnline = online;
    world.publish({ type: "online", online });
  }

  function bind(session: Session, connection: GatewayConnection): void {
    session.connection = connection;
    identified.set(connection, session);
    updateOnline();
  }

  /** The session goes on without the connection, until somebody resumes it. */
  function unbind(connection: GatewayConnection): void {
    const session = identified.get(connection);
    if (session?.connection === connection) session.connection = undefined;
    identified.delete(connection);
    updateOnline();
  }

  function identify(connection: GatewayConnection, d: unknown): Violation | undefined {
    if (!isFields(d) || !isToken(d.token)) return "authenticationFailed";
    const { intents, shard = [0, 1] } = d;
    if (typeof intents !== "number" || intents < 0 || intents > allIntents) return "invalidIntents";
    if (!isShard(shard)) return "invalidShard";
    if (!isFields(d.properties)) return "decode";
    forgetAbandoned(shard);
    if (d.compress === true) connection.compressLarge();
    const id = randomBytes(16).toString("hex");
    const session: Session = { id, shard, intents, sent: [], seq: 0, connection: undefined };
    sessions.set(id, session);
    bind(session, connection);
    emit(session, "READY", ready(world, session));
    for (const guild of guildEvents(world, session)) emit(session, "GUILD_CREATE", guild);
    return undefined;
  }

  /** Libraries send the token as they send it in requests, or bare. */
  function isToken(token: unknown): boolean {
    return typeof token === "string" && token.replace(/^Bot /, "") === world.token;
  }

  /** A bot that starts anew has given up the session it lost. */
  function forgetAbandoned([shard, count]: readonly [number, number]): void {
    for (const { id, connection, shard: other } of sessions.values()) {
      if (connection === undefined && other[0] === shard && other[1] === count) sessions.delete(id);
    }
  }

  function resume(connection: GatewayConnection, d: unknown): Violation | undefined {
    if (!isFields(d) || !isToken(d.token)) return "authenticationFailed";
    const session = sessions.get(String(d.session_id));
    const seq = Number(d.seq);
    if (session === undefined || session.seq - seq > session.sent.length) {
      control(connection, op.invalidSession, false);
      return undefined;
    }
    if (!(seq <= session.seq)) {
      sessions.delete(session.id);
      return "invalidSeq";
    }
    bind(session, connection);
    for (const packet of session.sent.filter(({ s }) => (s ?? 0) > seq)) connection.send(packet);
    emit(session, "RESUMED", { _trace: [] });
    return undefined;
  }

  function sendMembers(connection: GatewayConnection, d: unknown): Violation | undefined {
    const session = identified.get(connection);
    if (session === undefined) return "notAuthenticated";
    for (const chunk of memberChunks(world, session, d))
      emit(session, "GUILD_MEMBERS_CHUNK", chunk);
    return undefined;
  }

  function accept(socket: WebSocket, query: URLSearchParams): void {
    // A broken connection is followed by `close`, which is all that matters here.
    socket.on("error", () => undefined);
    const transport = transportOf(query);
    if (typeof transport === "string") {
      closeFor(socket, transport);
      return;
    }
    const connection = createConnection(socket, transport);
    let lastBeat = performance.now();
    const sends: number[] = [];
    connections.add(connection);
    // Elsewhere the greeting takes a while; libraries lose what comes together with the answer to the upgrade.
    setTimeout(() => {
      control(connection, op.hello, { heartbeat_interval: heartbeatMs, _trace: [] });
    }, greetingMs);
    const watch = setInterval(() => {
      if (performance.now() - lastBeat > heartbeatMs * 2) {
        closeFor(connection, "timedOut");
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
          control(connection, op.acknowledge, null);
          return undefined;
        case op.identify:
        case op.resume:
          if (identified.has(connection)) return "alreadyAuthenticated";
          return (packet.op === op.identify ? identify : resume)(connection, packet.d);
        case op.members:
          return sendMembers(connection, packet.d);
        case op.presence:
        case op.voice:
          return identified.has(connection) ? undefined : "notAuthenticated";
        default:
          return "unknownOpcode";
      }
    }

    socket.on("message", (raw) => {
      const violation = receive(raw);
      if (violation !== undefined) closeFor(connection, violation);
    });
    socket.on("close", (code) => {
      clearInterval(watch);
      connections.delete(connection);
      const session = identified.get(connection);
      unbind(connection);
      // A clean close by the client ends its session.
      if (session !== undefined && (code === 1_000 || code === 1_001)) sessions.delete(session.id);
    });
  }

  return {
    accept,
    dispatch(name, data, guildId) {
      for (const session of ofGuild(guildId)) emit(session, name, data);
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
      for (const connection of identified.keys()) control(connection, op.reconnect, null);
    },
    invalidate(isResumable = false) {
      if (!isResumable) sessions.clear();
      for (const connection of [...identified.keys()]) {
        // Whoever is told so identifies or resumes on the same connection, or on another.
        unbind(connection);
        control(connection, op.invalidSession, isResumable);
      }
    },
    close() {
      for (const { socket } of connections) socket.terminate();
    },
  };
}

function isShard(value: unknown): value is [number, number] {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [id, count] = value;
  return Number.isInteger(id) && Number.isInteger(count) && id >= 0 && id < count;
}

function parse(raw: RawData): { op: unknown; d: unknown } | undefined {
  const text = String(raw);
  if (Buffer.byteLength(text) > maxPacketBytes) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? { op: value.op, d: value.d } : undefined;
  } catch {
    return undefined;
  }
}
