import { Hono, type MiddlewareHandler } from "hono";
import { type MethodSpec, methods } from "../../video/index.ts";
import { createFaults, type Faults } from "../faults.ts";
import { listen } from "../listen.ts";
import type { Identify } from "./credentials.ts";
import { type Bindings, readIncoming } from "./incoming.ts";
import { createQuota, mainProject, type Quota } from "./quota.ts";
import { Refusal } from "./refusal.ts";
import { toFailure, toResponse } from "./reply.ts";
import { type MethodName, type Service, type StoredUpload, serve } from "./service.ts";
import { addPictures } from "./thumbnails/index.ts";
import { createSessions } from "./uploads/index.ts";
import { createVisitors, type Visitors } from "./visitors.ts";
import { buildWorld, type Channel } from "./world/index.ts";

export type { Identify, Identity } from "./credentials.ts";
export type { Quota } from "./quota.ts";
export type { StoredUpload } from "./service.ts";
export type { VisitorComment, Visitors } from "./visitors.ts";

export interface VideoOptions {
  /** A free one when absent. */
  readonly port?: number;
  /** Decides where a fault's `rate` strikes; the world is the same whatever it says. */
  readonly random?: () => number;
  /** Milliseconds since 1970; the world's dates are relative to its value at the start. */
  readonly now?: () => number;
  /** The key that is let in. */
  readonly key?: string;
  /** Further keys, each with the daily budgets of a project of its own, named like the key. */
  readonly otherKeys?: readonly string[];
  /** Tells what a token stands for; no token is good when absent. */
  readonly identify?: Identify;
  readonly onRequest?: (seen: SeenRequest) => void;
}

export interface VideoServer extends Visitors {
  /** Ends with the version segment, `/youtube/v3`. */
  readonly url: string;
  /** Where uploads go; they are taken at `url` too. */
  readonly uploadUrl: string;
  readonly key: string;
  /** The sandbox creator's own channel. */
  readonly ownChannelId: string;
  /** Every channel by its id, as it is now. */
  readonly channels: ReadonlyMap<string, Readonly<Channel>>;
  readonly faults: Faults;
  /** Daily budgets, to look at and to empty. */
  readonly quota: Quota;
  /** Every file that was taken in since the start, oldest first: one entry for each video that was made. */
  readonly uploads: readonly StoredUpload[];
  close(): Promise<void>;
}

/** What reached the service, told when its answer has left or its connection broke. */
export interface SeenRequest {
  /** Undefined when no method answers at the address. */
  readonly method: MethodName | undefined;
  readonly verb: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Bytes of the body that were read. */
  readonly received: number;
  /** Undefined when the connection broke first. */
  readonly status: number | undefined;
}

const base = "/youtube/v3";
/** Uploads have addresses of their own, and are taken at the plain one too. */
const prefixes = ["", "/upload", "/resumable/upload"];

/**
 * Stand-in for the video platform data service on 127.0.0.1: a small world that keeps its state, the rules of the
 * method table, uploads, daily budgets, and pictures of its own.
 */
export async function startVideo(options: VideoOptions = {}): Promise<VideoServer> {
  const { port = 0, random, now = Date.now, identify = () => undefined } = options;
  const key = options.key ?? "sandbox-video-key";
  const otherKeys = (options.otherKeys ?? []).map((other) => [other, other] as const);
  const world = buildWorld(now());
  const faults = createFaults(random);
  const uploads: StoredUpload[] = [];
  const quota = createQuota(now);
  const service: Service = {
    world,
    credentials: { keys: new Map([[key, mainProject], ...otherKeys]), identify },
    quota,
    sessions: createSessions(now),
    now,
    onUpload: (upload) => uploads.push(upload),
  };

  const app = new Hono<Bindings>();
  if (options.onRequest !== undefined) app.use(observe(options.onRequest));
  app.use(faults.middleware);
  for (const [name, row] of Object.entries(methods)) {
    addMethod(app, service, { name: name as MethodName, row });
  }
  addPictures(app, world);
  app.notFound(() => toResponse(toFailure(unknownPath())));
  app.onError((error) => toResponse(toFailure(error)));

  const server = await listen(app, port);
  return {
    url: server.origin + base,
    uploadUrl: `${server.origin}/upload${base}`,
    key,
    ownChannelId: world.ownChannelId,
    channels: world.channels,
    faults,
    quota,
    uploads,
    ...createVisitors(world, now),
    close: server.close,
  };
}

interface Route {
  readonly name: MethodName;
  readonly row: MethodSpec;
}

function addMethod(app: Hono<Bindings>, service: Service, { name, row }: Route): void {
  const inPath = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, param]) => param ?? "");
  const path = base + row.path.replace(/\{(\w+)\}/g, ":$1");
  const paths = prefixes.map((prefix) => prefix + path);
  // A session is opened with the method's own verb and continued with PUT, or with POST by some clients.
  const verbs = row.media?.direction === "up" ? [row.verb, "PUT", "POST"] : [row.verb];
  app.on([...new Set(verbs)], paths, async (c, next) => {
    const incoming = readIncoming(c);
    if (c.req.method !== row.verb && !incoming.search.has("upload_id")) return next();
    c.set("method", name);
    for (const param of inPath) incoming.search.set(param, c.req.param(param) ?? "");
    c.set("received", incoming.received);
    return toResponse(await serve(service, name, incoming));
  });
}

function observe(onRequest: (seen: SeenRequest) => void): MiddlewareHandler<Bindings> {
  return async (c, next) => {
    const { searchParams: query, pathname: path } = new URL(c.req.url);
    const { outgoing } = c.env;
    outgoing.once("close", () => {
      onRequest({
        method: c.get("method"),
        verb: c.req.method,
        path,
        query,
        received: c.get("received")?.() ?? 0,
        status: outgoing.writableFinished ? outgoing.statusCode : undefined,
      });
    });
    await next();
  };
}

function unknownPath(): Refusal {
  return new Refusal(404, { reason: "notFound", message: "Not Found" });
}
