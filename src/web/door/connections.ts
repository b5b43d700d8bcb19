import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { visitorOf } from "./address.ts";
import { type BodyLimits, hasBody, isTooSlow } from "./body.ts";

export interface RoomLimits {
  /** Open connections of all together. */
  readonly connections: number;
  /** Open connections of one visitor, where who that is can be told. */
  readonly visitor: number;
  /** Bodies that are still coming in at one kind of path. */
  readonly bodies: number;
  /** Requests under way on one connection. */
  readonly pipelined: number;
}

/** A browser opens six; a household or an office shares an address. */
const usualLimits: RoomLimits = { connections: 500, visitor: 50, bodies: 100, pipelined: 8 };

/** Calls again and again; answers how to stop it. */
export type Every = (intervalMs: number, work: () => void) => () => void;

export interface RoomDeps {
  /** Where they differ from the usual ones. */
  readonly limits?: Partial<RoomLimits> | undefined;
  readonly now: () => number;
  readonly every?: Every | undefined;
  /** What may be sent there; the same object for the same kind of path, and undefined where nothing is taken. */
  readonly bodyLimitsOf: (request: IncomingMessage) => BodyLimits | undefined;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly hasBody: boolean;
  readonly limits: BodyLimits | undefined;
  readonly startedAt: number;
  /** When its answer was found waiting for a visitor who doesn't read it. */
  answeredAt?: number;
}

interface Connection {
  readonly socket: Socket;
  /** Who holds it: behind a proxy that is known for as long as a request is under way. */
  visitor: string | undefined;
  /** Bytes of requests that are over; a body may have come in one piece with its headers. */
  bytesBefore: number;
  readonly exchanges: Set<Exchange>;
}

const sweepMs = 500;
/** An answer is a page. */
const maxUnreadMs = 10_000;

/** What is open at a server, and what it may come to. */
interface Room extends Pick<RoomDeps, "now" | "bodyLimitsOf"> {
  readonly limits: RoomLimits;
  /** Whoever did something last stands last. */
  readonly open: Map<Socket, Connection>;
  /** Those that sent a body, by the kind of path. */
  readonly sending: Map<BodyLimits, Set<Connection>>;
}

/**
 * Keeps a server open for the next visitor: over a limit, the oldest connection of whoever holds most gives way that
 * waits for its visitor and not for us. So whoever holds many open, sends slowly or doesn't read loses their own and not
 * the place of others.
 */
export function keepRoom(server: Server, deps: RoomDeps): void {
  const { now, every = inIntervals, bodyLimitsOf } = deps;
  const limits = { ...usualLimits, ...deps.limits };
  const room: Room = { now, bodyLimitsOf, limits, open: new Map(), sending: new Map() };
  server.on("connection", (socket: Socket) => admit(room, socket));
  const onRequest = (request: IncomingMessage, response: ServerResponse) =>
    enter(room, request, response);
  // Before anybody answers.
  server.prependListener("request", onRequest);
  server.prependListener("checkContinue", onRequest);
  const stop = every(sweepMs, () => sweep(room));
  server.once("close", stop);
}

function admit(room: Room, socket: Socket): void {
  const { open, limits } = room;
  const exchanges = new Set<Exchange>();
  const connection = { socket, visitor: peerOf(socket), bytesBefore: 0, exchanges };
  open.set(socket, connection);
  socket.once("close", () => open.delete(socket));
  if (open.size > limits.connections) makeRoom(room, connection);
  holdToShare(room, connection);
}

function enter(room: Room, request: IncomingMessage, response: ServerResponse): void {
  const connection = room.open.get(request.socket);
  if (connection === undefined) return;
  const isSending = hasBody(request);
  const limits = isSending ? room.bodyLimitsOf(request) : undefined;
  const exchange = { request, response, hasBody: isSending, limits, startedAt: room.now() };
  connection.exchanges.add(exchange);
  connection.visitor = visitorOf(request);
  moveToEnd(room, connection);
  response.once("close", () => leave(room, connection, exchange));
  if (connection.exchanges.size > room.limits.pipelined) drop(room, connection);
  holdToShare(room, connection);
  if (limits !== undefined) limitBodies(room, limits, connection);
}

function leave(room: Room, connection: Connection, exchange: Exchange): void {
  connection.exchanges.delete(exchange);
  if (exchange.limits !== undefined) room.sending.get(exchange.limits)?.delete(connection);
  if (!room.open.has(connection.socket)) return;
  connection.bytesBefore = connection.socket.bytesRead;
  if (connection.exchanges.size === 0) connection.visitor = peerOf(connection.socket);
  moveToEnd(room, connection);
}

function makeRoom(room: Room, newest: Connection): void {
  const others = [...room.open.values()].filter((one) => one !== newest);
  const waiting = others.filter(isWaiting);
  giveWay(room, waiting.length > 0 ? waiting : others);
}

/** Who has one too many loses an older one of their own; this one only where all others are being worked on. */
function holdToShare(room: Room, { visitor }: Connection): void {
  if (visitor === undefined) return;
  const own = [...room.open.values()].filter((one) => one.visitor === visitor);
  if (own.length > room.limits.visitor) giveWay(room, own.filter(isWaiting));
}

function limitBodies(room: Room, kind: BodyLimits, newest: Connection): void {
  const { open, sending, limits } = room;
  const senders = sending.get(kind) ?? new Set();
  sending.set(kind, senders.add(newest));
  if (senders.size <= limits.bodies) return;
  giveWay(
    room,
    [...senders].filter((one) => open.has(one.socket) && isWaiting(one)),
  );
}

/** Whose visitor is unknown stands for itself. */
function giveWay(room: Room, candidates: readonly Connection[]): void {
  const byVisitor = Map.groupBy(candidates, ({ visitor }) => visitor);
  const weightOf = ({ visitor }: Connection) =>
    visitor === undefined ? 1 : (byVisitor.get(visitor)?.length ?? 1);
  const [first, ...others] = candidates;
  if (first === undefined) return;
  drop(
    room,
    others.reduce((most, one) => (weightOf(one) > weightOf(most) ? one : most), first),
  );
}

function sweep(room: Room): void {
  const now = room.now();
  for (const connection of room.open.values()) {
    const bytes = connection.socket.bytesRead - connection.bytesBefore;
    if ([...connection.exchanges].some((one) => isOver(one, bytes, now))) drop(room, connection);
  }
}

/** Whether a body or an answer has had its time. */
function isOver(exchange: Exchange, bytes: number, now: number): boolean {
  const { response, limits, startedAt } = exchange;
  if (awaitsBody(exchange) && limits !== undefined) {
    return isTooSlow({ elapsedMs: now - startedAt, bytes }, limits);
  }
  if (!response.writableEnded) return false;
  exchange.answeredAt ??= now;
  return now - exchange.answeredAt > maxUnreadMs;
}

function moveToEnd({ open }: Room, connection: Connection): void {
  open.delete(connection.socket);
  open.set(connection.socket, connection);
}

function drop({ open, sending }: Room, connection: Connection): void {
  const { socket } = connection;
  open.delete(socket);
  for (const senders of sending.values()) senders.delete(connection);
  socket.destroy();
}

function inIntervals(intervalMs: number, work: () => void): () => void {
  const timer = setInterval(work, intervalMs).unref();
  return () => clearInterval(timer);
}

/** Whether nothing of ours is under way for it: it says nothing, is still sending, or doesn't read. */
function isWaiting({ exchanges }: Connection): boolean {
  return [...exchanges].every((one) => awaitsBody(one) || one.response.writableEnded);
}

function awaitsBody({ request, hasBody }: Pick<Exchange, "request" | "hasBody">): boolean {
  return hasBody && !request.complete;
}

function peerOf(socket: Socket): string | undefined {
  return visitorOf({ socket, headers: {} });
}
