import type { Hono, MiddlewareHandler } from "hono";
import type { MethodSpec } from "../../video/index.ts";
import { type Bindings, overridden, readIncoming, verbOf } from "./incoming.ts";
import { toResponse } from "./reply.ts";
import { type MethodName, type Service, serve } from "./service.ts";

/** What reached the service, told when its answer has left or its connection broke. */
export interface SeenRequest {
  /** Undefined when no method answers at the address. */
  readonly method: MethodName | undefined;
  readonly verb: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** The resource in its body; empty when there is none. */
  readonly resource: object;
  /** Bytes of the body that were read. */
  readonly received: number;
  /** Undefined when the connection broke first. */
  readonly status: number | undefined;
}

/** Where the version of the interface begins. */
export const base = "/youtube/v3";
/** Uploads have addresses of their own, and are taken at the plain one too. */
const prefixes = ["", "/upload", "/resumable/upload"];

interface Route {
  readonly name: MethodName;
  readonly row: MethodSpec;
}

/** Lets a method answer at its addresses. */
export function addMethod(app: Hono<Bindings>, service: Service, { name, row }: Route): void {
  const inPath = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, param]) => param ?? "");
  const path = base + row.path.replace(/\{(\w+)\}/g, ":$1");
  const paths = prefixes.map((prefix) => prefix + path);
  // A session is opened with the method's own verb and continued with PUT, or with POST by some clients.
  // A long query comes in the body of a POST that says what it stands for.
  const verbs = row.media?.direction === "up" ? [row.verb, "PUT", "POST"] : [row.verb, "POST"];
  app.on([...new Set(verbs)], paths, async (c, next) => {
    const asked = readIncoming(c);
    if (verbOf(asked) !== row.verb && !asked.search.has("upload_id")) return next();
    const incoming = await overridden(asked);
    const uploadId = incoming.search.get("upload_id") ?? "";
    c.set("method", service.sessions.find(uploadId)?.method ?? name);
    for (const param of inPath) incoming.search.set(param, c.req.param(param) ?? "");
    c.set("received", incoming.received);
    c.set("body", () => incoming.resource);
    return toResponse(await serve(service, name, incoming));
  });
}

/** Tells of every request, faults included. */
export function observe(onRequest: (seen: SeenRequest) => void): MiddlewareHandler<Bindings> {
  return async (c, next) => {
    const { searchParams: query, pathname: path } = new URL(c.req.url);
    const { outgoing } = c.env;
    outgoing.once("close", () => {
      onRequest({
        method: c.get("method"),
        verb: c.req.method,
        path,
        query,
        resource: c.get("body")?.() ?? {},
        received: c.get("received")?.() ?? 0,
        status: outgoing.writableFinished ? outgoing.statusCode : undefined,
      });
    });
    await next();
  };
}
