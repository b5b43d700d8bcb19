import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Server as Reservation } from "node:net";
import { visitorOf } from "./address.ts";
import { type BodyLimits, hasBody } from "./body.ts";
import { type Every, keepRoom, type RoomLimits } from "./connections.ts";
import { createTraffic, type TrafficLimits } from "./traffic.ts";

export interface DoorOptions {
  /** 0 takes any free one; a server that listens already hands its port over. */
  readonly port: number | Reservation;
  /** All of this machine's addresses when absent. */
  readonly host?: string | undefined;
  readonly traffic: TrafficLimits;
  readonly room?: Partial<RoomLimits> | undefined;
  readonly now: () => number;
  readonly every?: Every | undefined;
  /** What may be sent where; undefined for paths that take nothing. Called for requests with a body alone. */
  readonly bodyLimitsOf: (request: IncomingMessage) => BodyLimits | undefined;
  /** Of every answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** Answers what is over the limits, and what is sent where nothing is taken; it should cost little. */
  readonly refuse: (exchange: WebExchange, refusal: "flood" | "nothing_here") => void;
}

export interface WebExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export interface Door {
  readonly port: number;
  /** Lets go of idle connections at once, and of the others once they are answered, or after some seconds. */
  close(): Promise<void>;
}

/** A visitor's request is small and comes at once; answers of ours may take longer. */
const limits = {
  maxHeaderSize: 16_384,
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 5_000,
  // How often the times above are looked at; Node's own 30 s would make them all 30 s.
  connectionsCheckingInterval: 1_000,
} as const satisfies ServerOptions;

const drainMs = 3_000;
/**
 * Connections that the system holds until they are taken over. Beyond it a visitor's attempt is dropped, and their machine
 * tries again after a second, and after three: Node's own 511 are one burst of a stranger's.
 */
const backlog = 4_096;

/**
 * Listens with limits on everything that a stranger decides: sizes, times, connections, requests a minute. No body is
 * read before its path is known to take one, and after a body the connection ends: the rest of one is never waited for.
 * Rejects with Node's own error when the port can't be had.
 */
export async function listen(answer: RequestListener, options: DoorOptions): Promise<Door> {
  const { port, host, refuse, now, every, bodyLimitsOf } = options;
  const admits = createTraffic(options.traffic, now);
  const headers = Object.entries(options.headers);
  let isClosing = false;
  const server = createServer(limits, receive);
  // Only who is let in is asked for the body.
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) =>
    receive(request, response, () => response.writeContinue()),
  );
  keepRoom(server, { limits: options.room, now, every, bodyLimitsOf });

  function receive(request: IncomingMessage, response: ServerResponse, welcome = () => {}): void {
    for (const [name, value] of headers) response.setHeader(name, value);
    if (isClosing || hasBody(request)) response.setHeader("Connection", "close");
    // What was under way when it began to close has promised its visitor to stay.
    response.once("close", () => isClosing && setImmediate(() => server.closeIdleConnections()));
    const refusal = refusalOf(request);
    if (refusal !== undefined) {
      response.setHeader("Connection", "close");
      return void refuse({ request, response }, refusal);
    }
    welcome();
    answer(request, response);
  }

  function refusalOf(request: IncomingMessage) {
    if (!admits(visitorOf(request))) return "flood";
    return hasBody(request) && bodyLimitsOf(request) === undefined ? "nothing_here" : undefined;
  }

  if (typeof port === "number") server.listen({ port, host, backlog });
  else server.listen(port);
  await once(server, "listening");
  let closed: Promise<void> | undefined;
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      isClosing = true;
      closed ??= drain(server);
      return closed;
    },
  };
}

async function drain(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearTimeout(timer);
}
