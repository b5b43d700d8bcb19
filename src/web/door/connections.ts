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

/**
 * Keeps a server open for the next visitor: over a limit, the oldest connection of whoever holds most gives way that
 * waits for its visitor and not for us. So whoever holds many open, sends slowly or doesn't read loses their own and not
 * the place of others.
 */
export function keepRoom(server: Server, deps: RoomDeps): void {
  const { now, every = inIntervals, bodyLimitsOf } = deps;
  const limits = { ...usualLimits, ...deps.limits };
  /** Whoever did something last stands last. */
  const open = new Map<Socket, Connection>();
  /** Those that sent a body, by the kind of path. */
  const sending = new Map<BodyLimits, Set<Connection>>();

  server.on("connection", (socket: Socket) => {
    const exchanges = new Set<Exchange>();
    const connection = { socket, visitor: peerOf(socket), bytesBefore: 0, exchanges };
    open.set(socket, connection);
    socket.once("close", () => open.delete(socket));
    if (open.size > limits.connections) makeRoom(connection);
    holdToShare(connection);
  });
  // Before anybody answers.
  server.prependListener("request", enter);
  server.prependListener("checkContinue", enter);
  const stop = every(sweepMs, sweep);
  server.once("close", stop);

  function enter(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const connection = open.get(socket);
    if (connection === undefined) return;
    const exchange: Exchange = {
      request,
      response,
      hasBody: hasBody(request),
      limits: hasBody(request) ? bodyLimitsOf(request) : undefined,
      startedAt: now(),
    };
    connection.exchanges.add(exchange);
    connection.visitor = visitorOf(request);
    moveToEnd(connection);
    response.once("close", () => leave(connection, exchange));
    if (connection.exchanges.size > limits.pipelined) drop(connection);
    holdToShare(connection);
    if (exchange.limits !== undefined) limitBodies(exchange.limits, connection);
  }

  function leave(connection: Connection, exchange: Exchange): void {
    connection.exchanges.delete(exchange);
    if (exchange.limits !== undefined) sending.get(exchange.limits)?.delete(connection);
    if (!open.has(connection.socket)) return;
    connection.bytesBefore = connection.socket.bytesRead;
    if (connection.exchanges.size === 0) connection.visitor = peerOf(connection.socket);
    moveToEnd(connection);
  }

  function makeRoom(newest: Connection): void {
    const others = [...open.values()].filter((one) => one !== newest);
    const waiting = others.filter(isWaiting);
    giveWay(waiting.length > 0 ? waiting : others);
  }

  /** Who has one too many loses an older one of their own; this one only where all others are being worked on. */
  function holdToShare({ visitor }: Connection): void {
    if (visitor === undefined) return;
    const own = [...open.values()].filter((one) => one.visitor === visitor);
    if (own.length > limits.visitor) giveWay(own.filter(isWaiting));
  }

  function limitBodies(kind: BodyLimits, newest: Connection): void {
    const senders = sending.get(kind) ?? new Set();
    sending.set(kind, senders.add(newest));
    if (senders.size <= limits.bodies) return;
    giveWay([...senders].filter((one) => open.has(one.socket) && isWaiting(one)));
  }

  /** Whose visitor is unknown stands for itself. */
  function giveWay(candidates: readonly Connection[]): void {
    const byVisitor = Map.groupBy(candidates, ({ visitor }) => visitor);
    const weightOf = ({ visitor }: Connection) =>
      visitor === undefined ? 1 : (byVisitor.get(visitor)?.length ?? 1);
    const [first, ...others] = candidates;
    if (first === undefined) return;
    drop(others.reduce((most, one) => (weightOf(one) > weightOf(most) ? one : most), first));
  }

  function sweep(): void {
    for (const connection of open.values()) {
      const bytes = connection.socket.bytesRead - connection.bytesBefore;
      if ([...connection.exchanges].some((one) => isOver(one, bytes))) drop(connection);
    }
  }

  function isOver(exchange: Exchange, bytes: number): boolean {
    const { response, limits: kind, startedAt } = exchange;
    if (awaitsBody(exchange) && kind !== undefined) {
      return isTooSlow({ elapsedMs: now() - startedAt, bytes }, kind);
    }
    if (!response.writableEnded) return false;
    exchange.answeredAt ??= now();
    return now() - exchange.answeredAt > maxUnreadMs;
  }

  function moveToEnd(connection: Connection): void {
    open.delete(connection.socket);
    open.set(connection.socket, connection);
  }

  function drop(connection: Connection): void {
    const { socket } = connection;
    open.delete(socket);
    for (const senders of sending.values()) senders.delete(connection);
    socket.destroy();
  }
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
