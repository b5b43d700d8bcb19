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
import { keepRoom } from "./connections.ts";
import { createTraffic, type TrafficLimits } from "./traffic.ts";

export interface DoorOptions {
  /** 0 takes any free one; a server that listens already hands its port over. */
  readonly port: number | Reservation;
  /** All of this machine's addresses when absent. */
  readonly host?: string | undefined;
  readonly traffic: TrafficLimits;
  readonly now: () => number;
  /** Of every answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** Answers what is over the limits; it should cost little. */
  readonly refuse: (request: IncomingMessage, response: ServerResponse) => void;
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

const maxConnections = 500;
const drainMs = 3_000;

/**
 * Listens with limits on everything that a stranger decides: sizes, times, connections, requests a minute.
 * Rejects with Node's own error when the port can't be had.
 */
export async function listen(answer: RequestListener, options: DoorOptions): Promise<Door> {
  const { port, host, refuse, now } = options;
  const admits = createTraffic(options.traffic, now);
  const headers = Object.entries(options.headers);
  let isClosing = false;
  const server = createServer(limits, (request, response) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    if (isClosing) response.setHeader("Connection", "close");
    // What was under way when it began to close has promised its visitor to stay.
    response.once("close", () => isClosing && setImmediate(() => server.closeIdleConnections()));
    if (admits(visitorOf(request))) return void answer(request, response);
    response.setHeader("Connection", "close");
    refuse(request, response);
  });
  keepRoom(server, maxConnections);
  if (typeof port === "number") server.listen(port, host);
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
