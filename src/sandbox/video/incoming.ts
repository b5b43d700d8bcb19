import type { IncomingHttpHeaders } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { methods } from "../../video/index.ts";

type MethodName = keyof typeof methods;

export type Bindings = {
  Bindings: HttpBindings;
  /** What the observer wants to know of a request. */
  Variables: { method?: MethodName; received?: () => number; body?: () => object };
};

/** One request as it came in; its body can be read once. */
export interface Incoming {
  readonly verb: string;
  readonly origin: string;
  readonly path: string;
  readonly search: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Whether a body follows, empty or not. */
  readonly hasBody: boolean;
  /** The body as it comes, so that it never has to fit into memory; throws when the connection breaks. */
  chunks(): AsyncIterable<Buffer>;
  /** Bytes of the body that were read so far. */
  received(): number;
  /** The resource that it carried, once that was read; for whoever observes. */
  resource: object;
}

export function readIncoming(c: Context<Bindings>): Incoming {
  const { incoming } = c.env;
  const { origin, pathname, searchParams } = new URL(c.req.url);
  const { headers } = incoming;
  let received = 0;

  async function* chunks(): AsyncGenerator<Buffer> {
    // Who stops early still answers: the stream must not take the connection with it.
    for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
      received += chunk.length;
      yield chunk;
    }
  }

  return {
    verb: c.req.method,
    origin,
    path: pathname,
    search: searchParams,
    headers,
    hasBody: Number(headers["content-length"] ?? 0) > 0 || "transfer-encoding" in headers,
    chunks,
    received: () => received,
    resource: {},
  };
}

/** It stands in for a query, which is never as long. */
const maxFormBytes = 64 * 1024;

/** What a request is meant as: a POST may stand for a GET with a long query. */
export function verbOf({ verb, headers }: Pick<Incoming, "verb" | "headers">): string {
  return verb === "POST" && headers["x-http-method-override"] === "GET" ? "GET" : verb;
}

/** With its form as the query: so the Python client sends an address of over 2,048 characters. */
export async function overridden(incoming: Incoming): Promise<Incoming> {
  const verb = verbOf(incoming);
  if (verb === incoming.verb) return incoming;
  const chunks: Buffer[] = [];
  for await (const chunk of incoming.chunks()) {
    if (incoming.received() > maxFormBytes) break;
    chunks.push(chunk);
  }
  const form = new URLSearchParams(Buffer.concat(chunks).toString());
  for (const [name, value] of form) incoming.search.append(name, value);
  return { ...incoming, verb, hasBody: false };
}

/** The media type without its parameters, in lower case; undefined when the request names none. */
export function mediaType(value: string | undefined): string | undefined {
  const type = value?.split(";")[0]?.trim().toLowerCase();
  return type === "" ? undefined : type;
}
