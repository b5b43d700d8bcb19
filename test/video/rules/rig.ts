import { createVideoClient, type VideoClient } from "../../../src/video/index.ts";
import { fakeTime, openHttp, type Received, serve, type TestServer } from "../../http/server.ts";

export interface Reply {
  readonly status?: number;
  readonly body?: unknown;
  /** The connection is cut instead of a response. */
  readonly isCut?: boolean;
}

/** Responses by route, like `GET /videos`; each gets the query and the JSON that arrived. */
export type Routes = Readonly<Record<string, (asked: Asked) => Reply>>;

export interface Asked {
  readonly query: URLSearchParams;
  // A test knows the shape of what it sent.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly json: any;
  readonly body: Buffer;
  /** The request's number on its route, from 1. */
  readonly count: number;
}

export interface Rig {
  readonly client: VideoClient;
  readonly server: TestServer;
  /** The routes of all requests (`GET /videos` and so on), in order. */
  asked(): readonly string[];
}

export function refuse(status: number, reason: string): Reply {
  return { status, body: { error: { code: status, errors: [{ reason }] } } };
}

/** A client, and a server that only this test uses. */
export async function startRig(routes: Routes): Promise<Rig> {
  const counts = new Map<string, number>();
  const server = await serve((received, response) => {
    const route = routeOf(received);
    const count = (counts.get(route) ?? 0) + 1;
    counts.set(route, count);
    const answer = routes[route];
    if (answer === undefined) throw new Error(`nobody answers ${route}`);
    const json = parse(received.body);
    const { searchParams: query } = received.url;
    const { status = 200, body, isCut } = answer({ query, json, body: received.body, count });
    if (isCut) return void response.destroy();
    response.writeHead(status, { "content-type": "application/json" });
    response.end(body === undefined ? "" : JSON.stringify(body));
  });
  const http = openHttp(fakeTime());
  const client = createVideoClient({ baseUrl: server.url, http, token: "t" });
  return { client, server, asked: () => server.received.map(routeOf) };
}

function routeOf({ method, url }: Received): string {
  return `${method} ${url.pathname}`;
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
