import type { IncomingHttpHeaders } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { methods } from "../../video/index.ts";
import { bodyTooLarge } from "./api-error.ts";

export type MethodName = keyof typeof methods;

export type VideoBindings = {
  Bindings: HttpBindings;
  /** What the observer wants to know of a request. */
  Variables: { method?: MethodName; request?: ApiRequest };
};

/** One request as it came in; its body can be read once. */
export interface ApiRequest {
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
  /** The resource in the body, once it was read; for the observer. */
  resource: object;
}

export function readApiRequest(c: Context<VideoBindings>): ApiRequest {
  const { incoming } = c.env;
  const { origin, pathname, searchParams } = new URL(c.req.url);
  const { headers } = incoming;
  let received = 0;
  return {
    verb: c.req.method,
    origin,
    path: pathname,
    search: searchParams,
    headers,
    hasBody: Number(headers["content-length"] ?? 0) > 0 || "transfer-encoding" in headers,
    async *chunks() {
      // A handler that stops reading early still answers, so the stream must not close the connection.
      for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
        received += chunk.length;
        yield chunk;
      }
    },
    received: () => received,
    resource: {},
  };
}

export async function readBytes(request: ApiRequest, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request.chunks()) {
    if (request.received() > maxBytes) throw bodyTooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The form replaces a query, which is never this long. */
const maxFormBytes = 64 * 1024;

/** The verb that a request means: a POST may stand for a GET with a long query. */
export function readVerb({ verb, headers }: ApiRequest): string {
  return verb === "POST" && headers["x-http-method-override"] === "GET" ? "GET" : verb;
}

/** Moves the form into the query: the Python client sends addresses of over 2,048 characters this way. */
export async function applyMethodOverride(request: ApiRequest): Promise<ApiRequest> {
  const verb = readVerb(request);
  if (verb === request.verb) return request;
  const form = new URLSearchParams((await readBytes(request, maxFormBytes)).toString());
  for (const [name, value] of form) request.search.append(name, value);
  return { ...request, verb, hasBody: false };
}

/** The media type without its parameters, in lower case; undefined when the request names none. */
export function mediaType(value: string | undefined): string | undefined {
  return value?.split(";")[0]?.trim().toLowerCase() || undefined;
}
