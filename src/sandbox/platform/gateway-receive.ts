import { randomBytes } from "node:crypto";
import type { RawData } from "ws";
import { isFields } from "./check/check.ts";
import { type GatewayConnection, op, type Violation } from "./gateway-connection.ts";
import {
  bind,
  control,
  emit,
  type GatewayState,
  guildEvents,
  memberChunks,
  ready,
  type Session,
} from "./gateway-session.ts";
import type { World } from "./world.ts";

// Sends allowed on one connection: https://docs.discord.com/developers/events/gateway#rate-limiting
const maxSends = 120;
const sendWindowMs = 60_000;
const allIntents = (1 << 26) - 1;
// https://docs.discord.com/developers/events/gateway#sending-events
const maxPacketBytes = 4_096;

/** When a connection was last heard of, and when it sent something within the window. */
export interface Pulse {
  lastBeat: number;
  readonly sends: number[];
}

/** Does what the packet asks; answers why the connection is closed where it may not be. */
export function receive(
  state: GatewayState,
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
    case op.heartbeat:
      pulse.lastBeat = now;
      control(connection, op.acknowledge, null);
      return undefined;
    case op.identify:
    case op.resume:
      if (state.identified.has(connection)) return "alreadyAuthenticated";
      return (packet.op === op.identify ? identify : resume)(state, connection, packet.d);
    case op.members:
      return sendMembers(state, connection, packet.d);
    case op.presence:
    case op.voice:
      return state.identified.has(connection) ? undefined : "notAuthenticated";
    default:
      return "unknownOpcode";
  }
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

function identify(
  state: GatewayState,
  connection: GatewayConnection,
  d: unknown,
): Violation | undefined {
  const { world, sessions } = state;
  if (!isFields(d) || !isToken(world, d.token)) return "authenticationFailed";
  const { intents, shard = [0, 1] } = d;
  if (typeof intents !== "number" || intents < 0 || intents > allIntents) return "invalidIntents";
  if (!isShard(shard)) return "invalidShard";
  if (!isFields(d.properties)) return "decode";
  forgetAbandoned(state, shard);
  if (d.compress === true) connection.compressLarge();
  const id = randomBytes(16).toString("hex");
  const session: Session = { id, shard, intents, sent: [], seq: 0, connection: undefined };
  sessions.set(id, session);
  bind(state, session, connection);
  emit(state, session, { name: "READY", data: ready(world, session) });
  for (const data of guildEvents(world, session)) {
    emit(state, session, { name: "GUILD_CREATE", data });
  }
  return undefined;
}

/** Libraries send the token as they send it in requests, or bare. */
function isToken(world: World, token: unknown): boolean {
  return typeof token === "string" && token.replace(/^Bot /, "") === world.token;
}

function isShard(value: unknown): value is [number, number] {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [id, count] = value;
  return Number.isInteger(id) && Number.isInteger(count) && id >= 0 && id < count;
}

/** A bot that starts anew has given up the session it lost. */
function forgetAbandoned({ sessions }: GatewayState, [shard, count]: Session["shard"]): void {
  for (const { id, connection, shard: other } of sessions.values()) {
    if (connection === undefined && other[0] === shard && other[1] === count) sessions.delete(id);
  }
}

function resume(
  state: GatewayState,
  connection: GatewayConnection,
  d: unknown,
): Violation | undefined {
  const { world, sessions } = state;
  if (!isFields(d) || !isToken(world, d.token)) return "authenticationFailed";
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
  bind(state, session, connection);
  for (const packet of session.sent.filter(({ s }) => (s ?? 0) > seq)) connection.send(packet);
  emit(state, session, { name: "RESUMED", data: { _trace: [] } });
  return undefined;
}

function sendMembers(
  state: GatewayState,
  connection: GatewayConnection,
  d: unknown,
): Violation | undefined {
  const session = state.identified.get(connection);
  if (session === undefined) return "notAuthenticated";
  for (const data of memberChunks(state.world, session, d)) {
    emit(state, session, { name: "GUILD_MEMBERS_CHUNK", data });
  }
  return undefined;
}
