import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { createHttp, type Http, type HttpOptions } from "../../src/http/index.ts";
import { freePort } from "../support/free-port.ts";

/** A complete request as it arrived. */
export interface Received {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

export interface TestServer {
  readonly url: string;
  readonly host: string;
  readonly received: Received[];
  close(): Promise<void>;
}

export type Answering = (received: Received, response: ServerResponse, count: number) => void;

/** A loopback server that records its requests. `count` is 1 for the first request. */
export async function startServer(answer: Answering): Promise<TestServer> {
  const received: Received[] = [];
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const one: Received = {
      method: request.method ?? "",
      url: new URL(request.url ?? "/", "http://localhost"),
      headers: request.headers,
      body: Buffer.concat(chunks),
    };
    received.push(one);
    answer(one, response, received.length);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}`,
    host,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Starts such a server for one test. */
export async function serve(answer: Answering): Promise<TestServer> {
  const server = await startServer(answer);
  onTestFinished(server.close);
  return server;
}

/** A client that is closed after the test. */
export function openHttp(options: HttpOptions = {}): Http {
  const http = createHttp(options);
  onTestFinished(http.close);
  return http;
}

/** Breaks the connection instead of answering. */
export const cut: Answering = (_received, response) => response.socket?.destroy();

export function answering(
  status: number,
  body: string | object = "",
  headers: Record<string, string> = {},
): Answering {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const type = typeof body === "string" ? "text/html" : "application/json; charset=utf-8";
  return (_received, response) => {
    response.writeHead(status, { "content-type": type, ...headers }).end(text);
  };
}

/** A loopback address where nothing listens. */
export async function deadAddress(): Promise<string> {
  return `http://127.0.0.1:${await freePort()}`;
}

/** A clock that advances only when something waits. */
export function fakeTime(start = Date.UTC(2026, 0, 15, 12)) {
  let time = start;
  const waits: number[] = [];
  return {
    waits,
    now: () => time,
    advance: (ms: number) => {
      time += ms;
    },
    sleep: async (ms: number, signal?: AbortSignal) => {
      signal?.throwIfAborted();
      waits.push(ms);
      time += ms;
    },
  };
}

/** The error of a promise that must reject. */
export async function failureOf<E extends Error>(
  promise: Promise<unknown>,
  kind: abstract new (...args: never[]) => E,
): Promise<E> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof kind) return error;
  throw new Error(`expected ${kind.name}, got ${String(error)}`, { cause: error });
}
