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
import {
  type BodyLimits,
  type CallEvery,
  type ConnectionLimits,
  hasBody,
  limitConnections,
} from "./connections.ts";
import { createRequestCounts, type RequestLimits } from "./request-limiter.ts";

export interface HttpListenerOptions {
  /** 0 takes any free port; a server that already listens hands its port over. */
  readonly port: number | Reservation;
  /** All of this machine's addresses when absent. */
  readonly host?: string | undefined;
  readonly traffic: RequestLimits;
  readonly room?: Partial<ConnectionLimits> | undefined;
  readonly now: () => number;
  readonly every?: CallEvery | undefined;
  /** The limits of a body; undefined for paths that take none. Called only for requests with a body. */
  readonly bodyLimitsFor: (request: IncomingMessage) => BodyLimits | undefined;
  /** Headers of every answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** Paths whose requests prove who sends them; the others' limits of requests do not apply there. */
  readonly direct?: DirectPaths | undefined;
  /** Answers requests over the limits, and bodies that are not accepted. It should cost little. */
  readonly refuse: (exchange: WebExchange, failure: "flood" | "nothing_here") => void;
}

export interface WebExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export interface DirectPaths {
  /** What answers a request; undefined if its path is another one. */
  findAnswerer(request: IncomingMessage): ((exchange: DirectExchange) => void) | undefined;
  /** Whether this visitor's requests proved who sends them. */
  isTrusted(visitor: string): boolean;
}

export interface DirectExchange extends WebExchange {
  readonly visitor: string | undefined;
  /** Asks for the body, where the sender waits to be asked. */
  welcome(): void;
  /** Its sender has proved who it is: its connection makes room for nobody. */
  exempt(): void;
}

/** A visitor's request is small and arrives at once; our answers may take longer. */
const limits = {
  maxHeaderSize: 16_384,
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 5_000,
  // How often the times above are checked; Node's own 30 s would make them all 30 s.
  connectionsCheckingInterval: 1_000,
} as const satisfies ServerOptions;

const drainMs = 3_000;
/**
 * How many connections the system holds until they are accepted. Further attempts are dropped, and the visitor's machine tries
 * again after one second and after three. Node's default of 511 can be filled by one burst from a stranger.
 */
const backlog = 4_096;

/**
 * Listens with limits on everything that a stranger decides: sizes, times, connections, requests per minute. No body is
 * read before its path is known to take one, and the connection ends after a body, so that we never wait for the rest of one;
 * direct paths decide that themselves.
 * Rejects with Node's own error if the port can't be used.
 */
export async function openHttpListener(answer: RequestListener, options: HttpListenerOptions) {
  const { port, host, direct, refuse, now, every, bodyLimitsFor } = options;
  const count = createRequestCounts(options.traffic, now);
  const headers = Object.entries(options.headers);
  let isClosing = false;
  const server = createServer(limits, receive);
  // Only a request that is accepted is asked for its body.
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) =>
    receive(request, response, () => response.writeContinue()),
  );
  const connections = limitConnections(server, {
    limits: options.room,
    now,
    every,
    bodyLimitsFor,
    isTrusted: direct?.isTrusted,
  });

  function receive(request: IncomingMessage, response: ServerResponse, welcome = () => {}): void {
    const answerDirectly = direct?.findAnswerer(request);
    if (answerDirectly !== undefined) {
      if (isClosing) response.setHeader("Connection", "close");
      response.once("close", closeIdle);
      const exempt = () => connections.exempt(request.socket);
      const visitor = connections.visitorAt(request.socket);
      answerDirectly({ request, response, visitor, welcome, exempt });
      return;
    }
    for (const [name, value] of headers) response.setHeader(name, value);
    if (isClosing || hasBody(request)) response.setHeader("Connection", "close");
    response.once("close", closeIdle);
    const isFlood = count(connections.visitorAt(request.socket)) !== undefined;
    if (isFlood || (hasBody(request) && bodyLimitsFor(request) === undefined)) {
      response.setHeader("Connection", "close");
      return void refuse({ request, response }, isFlood ? "flood" : "nothing_here");
    }
    welcome();
    answer(request, response);
  }

  /** Answers that were under way when closing began have promised the visitor to keep the connection open. */
  function closeIdle(): void {
    if (isClosing) setImmediate(() => server.closeIdleConnections());
  }

  if (typeof port === "number") server.listen({ port, host, backlog });
  else server.listen(port);
  await once(server, "listening");
  let closed: Promise<void> | undefined;
  return {
    port: (server.address() as AddressInfo).port,
    /** Closes idle connections at once, and the others once they are answered, or after some seconds. */
    close: (): Promise<void> => {
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
