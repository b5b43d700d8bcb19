import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { findNetworks, findVisitor } from "./visitor-address.ts";

export interface ConnectionLimits {
  /** Open connections of all visitors together. */
  readonly connections: number;
  /** Open connections of one visitor, where the visitor is known. */
  readonly visitor: number;
  /** Bodies that are still coming in at one kind of path. */
  readonly bodies: number;
  /** Requests under way on one connection. */
  readonly pipelined: number;
}

/** A browser opens six; a household or an office shares one address. */
const usualLimits: ConnectionLimits = { connections: 500, visitor: 50, bodies: 100, pipelined: 8 };

/** Calls `work` at each interval; returns a function that stops it. */
export type CallEvery = (intervalMs: number, work: () => void) => () => void;

export interface ConnectionDeps {
  /** The limits that differ from the usual ones. */
  readonly limits?: Partial<ConnectionLimits> | undefined;
  readonly now: () => number;
  readonly every?: CallEvery | undefined;
  /** The limits of a body: the same object for the same kind of path, and undefined for paths that take none. */
  readonly bodyLimitsFor: (request: IncomingMessage) => BodyLimits | undefined;
  /** Visitors who lose no connection to the limits; nobody when absent. */
  readonly isTrusted?: ((visitor: string) => boolean) | undefined;
}

interface OpenExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly hasBody: boolean;
  readonly limits: BodyLimits | undefined;
  readonly startedAt: number;
  /** Since when its answer waits for a visitor who doesn't read it. */
  answeredAt?: number;
}

interface VisitorConnection {
  readonly socket: Socket;
  /** Who connected; undefined if that is a proxy. */
  readonly peer: string | undefined;
  /** Whose it is; behind a proxy, known only while a request is under way. */
  visitor: string | undefined;
  /** Bytes of earlier requests on this connection, because a body may arrive together with its headers. */
  bytesBefore: number;
  readonly exchanges: Set<OpenExchange>;
}

const sweepMs = 500;
/** An answer is only a page, so a visitor reads it within this time. */
const maxUnreadMs = 10_000;

interface ConnectionRoom extends Pick<ConnectionDeps, "now" | "bodyLimitsFor"> {
  readonly limits: ConnectionLimits;
  readonly isTrusted: (visitor: string) => boolean;
  /** The most recently active connection is last. */
  readonly open: Map<Socket, VisitorConnection>;
  /** Connections whose last request came from a sender that proved who it is. */
  readonly exempted: Map<Socket, VisitorConnection>;
  /** The connections that are sending a body, by kind of path. */
  readonly sending: Map<BodyLimits, Set<VisitorConnection>>;
}

/**
 * Keeps a server reachable for the next visitor. Over a limit it closes the oldest connection of the visitor who has most, but
 * only connections that wait for the visitor and not for us. So somebody who opens many, sends slowly or doesn't read loses
 * their own connections, and takes nobody else's place.
 */
export function limitConnections(server: Server, deps: ConnectionDeps) {
  const { now, every = callEvery, bodyLimitsFor, isTrusted = () => false } = deps;
  const limits = { ...usualLimits, ...deps.limits };
  const connections = { open: new Map(), exempted: new Map(), sending: new Map() };
  const room: ConnectionRoom = { now, bodyLimitsFor, isTrusted, limits, ...connections };
  server.on("connection", (socket: Socket) => {
    const exchanges = new Set<OpenExchange>();
    const peer = findVisitor({ socket, headers: {} });
    holdToLimits(room, { socket, peer, visitor: peer, bytesBefore: 0, exchanges });
    socket.once("close", () => {
      room.open.delete(socket);
      room.exempted.delete(socket);
    });
  });
  const onRequest = (request: IncomingMessage, response: ServerResponse) =>
    beginExchange(room, request, response);
  // Before the request is answered.
  server.prependListener("request", onRequest);
  server.prependListener("checkContinue", onRequest);
  const stop = every(sweepMs, () => sweep(room));
  server.once("close", stop);
  return {
    /** Whose request is under way on a connection; undefined if the visitor is unknown. */
    visitorAt: (socket: Socket): string | undefined =>
      (room.open.get(socket) ?? room.exempted.get(socket))?.visitor,
    /**
     * Frees a connection from all limits until its next request, when the sender of this one has proved who it is. While it is
     * idle, a proxy may be about to send the next request over it.
     */
    exempt(socket: Socket): void {
      const connection = room.open.get(socket);
      if (connection === undefined) return;
      room.open.delete(socket);
      room.exempted.set(socket, connection);
      for (const senders of room.sending.values()) senders.delete(connection);
    },
  };
}

function holdToLimits(room: ConnectionRoom, connection: VisitorConnection): void {
  room.open.set(connection.socket, connection);
  if (room.open.size > room.limits.connections) {
    const others = [...room.open.values()].filter((one) => one !== connection);
    const waiting = others.filter(isWaiting);
    giveWay(room, waiting.length > 0 ? waiting : others);
  }
  holdToShare(room, connection);
}

function beginExchange(
  room: ConnectionRoom,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const exempted = room.exempted.get(request.socket);
  if (exempted !== undefined) {
    // Whoever sends the next request over it has proved nothing yet.
    room.exempted.delete(request.socket);
    holdToLimits(room, exempted);
  }
  const connection = exempted ?? room.open.get(request.socket);
  if (connection === undefined) return;
  const isSending = hasBody(request);
  const limits = isSending ? room.bodyLimitsFor(request) : undefined;
  const exchange = { request, response, hasBody: isSending, limits, startedAt: room.now() };
  connection.exchanges.add(exchange);
  connection.visitor = findVisitor(request);
  moveToEnd(room, connection);
  response.once("close", () => {
    connection.exchanges.delete(exchange);
    if (limits !== undefined) room.sending.get(limits)?.delete(connection);
    connection.bytesBefore = connection.socket.bytesRead;
    if (connection.exchanges.size === 0) connection.visitor = connection.peer;
    if (room.open.has(connection.socket)) moveToEnd(room, connection);
  });
  if (connection.exchanges.size > room.limits.pipelined) drop(room, connection);
  holdToShare(room, connection);
  if (limits !== undefined) limitBodies(room, limits, connection);
}

/** A visitor with too many connections loses an older one, or the new one if we are working on all the others. */
function holdToShare(room: ConnectionRoom, { visitor }: VisitorConnection): void {
  if (visitor === undefined || room.isTrusted(visitor)) return;
  const own = [...room.open.values()].filter((one) => one.visitor === visitor);
  if (own.length > room.limits.visitor) giveWay(room, own.filter(isWaiting));
}

function limitBodies(room: ConnectionRoom, kind: BodyLimits, newest: VisitorConnection): void {
  const { open, sending, limits } = room;
  const senders = sending.get(kind) ?? new Set();
  sending.set(kind, senders.add(newest));
  if (senders.size <= limits.bodies) return;
  giveWay(
    room,
    [...senders].filter((one) => open.has(one.socket) && isWaiting(one)),
  );
}

/** A connection whose visitor is unknown counts by itself; somebody with many addresses counts by their network. */
function giveWay(room: ConnectionRoom, waiting: readonly VisitorConnection[]): void {
  const strangers = waiting.filter(
    ({ visitor }) => visitor === undefined || !room.isTrusted(visitor),
  );
  const candidates = strangers.length > 0 ? strangers : waiting;
  const findSite = ({ visitor }: VisitorConnection) => visitor && findNetworks(visitor).site;
  const bySite = Map.groupBy(candidates, findSite);
  const weighConnection = (one: VisitorConnection) =>
    one.visitor === undefined ? 1 : (bySite.get(findSite(one))?.length ?? 1);
  const [first, ...others] = candidates;
  if (first === undefined) return;
  drop(
    room,
    others.reduce(
      (most, one) => (weighConnection(one) > weighConnection(most) ? one : most),
      first,
    ),
  );
}

function sweep(room: ConnectionRoom): void {
  const now = room.now();
  for (const connection of room.open.values()) {
    const bytes = connection.socket.bytesRead - connection.bytesBefore;
    if ([...connection.exchanges].some((one) => isOver(one, bytes, now))) drop(room, connection);
  }
}

function isOver(exchange: OpenExchange, bytes: number, now: number): boolean {
  const { response, limits, startedAt } = exchange;
  if (awaitsBody(exchange) && limits !== undefined) {
    const elapsedMs = now - startedAt;
    const wantedBytes = ((elapsedMs - graceMs) * leastBytesPerS) / 1_000;
    return elapsedMs > limits.deadlineMs || bytes < wantedBytes;
  }
  if (!response.writableEnded) return false;
  exchange.answeredAt ??= now;
  return now - exchange.answeredAt > maxUnreadMs;
}

function moveToEnd({ open }: ConnectionRoom, connection: VisitorConnection): void {
  open.delete(connection.socket);
  open.set(connection.socket, connection);
}

function drop({ open, sending }: ConnectionRoom, connection: VisitorConnection): void {
  const { socket } = connection;
  open.delete(socket);
  for (const senders of sending.values()) senders.delete(connection);
  socket.destroy();
}

export function callEvery(intervalMs: number, work: () => void): () => void {
  const timer = setInterval(work, intervalMs).unref();
  return () => clearInterval(timer);
}

/** Whether it waits for the visitor: it is idle, still sending, or doesn't read. */
function isWaiting({ exchanges }: VisitorConnection): boolean {
  return [...exchanges].every((one) => awaitsBody(one) || one.response.writableEnded);
}

function awaitsBody({ request, hasBody }: Pick<OpenExchange, "request" | "hasBody">): boolean {
  return hasBody && !request.complete;
}

/** The limits of a body at one kind of path. */
export interface BodyLimits {
  readonly maxBytes: number;
  /** From the headers to the last byte. */
  readonly deadlineMs: number;
}

/** A lost packet is resent within this time; speed counts only after it. */
const graceMs = 3_000;
const leastBytesPerS = 4_096;

export function hasBody({ headers }: Pick<IncomingMessage, "headers">): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}
