import type { WebSocket } from "ws";
import {
  closeFor,
  createConnection,
  type GatewayConnection,
  op,
  transportOf,
} from "./gateway-connection.ts";
import { heardEvent } from "./gateway-events.ts";
import { type Pulse, receive } from "./gateway-receive.ts";
import {
  control,
  emit,
  type GatewayOptions,
  type GatewayState,
  type Session,
  sessionsOf,
  unbind,
} from "./gateway-session.ts";
import type { World } from "./world.ts";

const greetingMs = 10;

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

export function createGateway(world: World, options: GatewayOptions): Gateway {
  const sessions = new Map<string, Session>();
  const connections = new Set<GatewayConnection>();
  const identified = new Map<GatewayConnection, Session>();
  const state: GatewayState = { ...options, world, sessions, connections, identified };

  world.onDispatch((event) => {
    const heard = heardEvent(world, event);
    // What belongs to no server goes to the first shard.
    for (const session of sessionsOf(state, heard?.guildId ?? "0")) {
      if (!heard?.isFor(session.intents)) continue;
      emit(state, session, { name: heard.name, data: heard.dataFor(session.intents) });
    }
  });

  return {
    accept: (socket, query) => accept(state, socket, query),
    dispatch(name, data, guildId) {
      for (const session of sessionsOf(state, guildId)) emit(state, session, { name, data });
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
        // The client then identifies or resumes on the same connection, or on another.
        unbind(state, connection);
        control(connection, op.invalidSession, isResumable);
      }
    },
    close() {
      for (const { socket } of connections) socket.terminate();
    },
  };
}

function accept(state: GatewayState, socket: WebSocket, query: URLSearchParams): void {
  const { connections, identified, sessions, heartbeatMs } = state;
  // A broken connection is followed by `close`, which is all that matters here.
  socket.on("error", () => undefined);
  const transport = transportOf(query);
  if (typeof transport === "string") {
    closeFor(socket, transport);
    return;
  }
  const connection = createConnection(socket, transport);
  const pulse: Pulse = { lastBeat: performance.now(), sends: [] };
  connections.add(connection);
  // Elsewhere the greeting takes a while; libraries lose what comes together with the answer to the upgrade.
  setTimeout(() => {
    control(connection, op.hello, { heartbeat_interval: heartbeatMs, _trace: [] });
  }, greetingMs);
  const watch = setInterval(() => {
    if (performance.now() - pulse.lastBeat > heartbeatMs * 2) closeFor(connection, "timedOut");
  }, heartbeatMs).unref();
  socket.on("message", (raw) => {
    const violation = receive(state, connection, { raw, pulse });
    if (violation !== undefined) closeFor(connection, violation);
  });
  socket.on("close", (code) => {
    clearInterval(watch);
    connections.delete(connection);
    const session = identified.get(connection);
    unbind(state, connection);
    // A clean close by the client ends its session.
    if (session !== undefined && (code === 1_000 || code === 1_001)) sessions.delete(session.id);
  });
}
