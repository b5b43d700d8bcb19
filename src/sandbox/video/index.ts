import { Hono, type MiddlewareHandler } from "hono";
import { type MethodSpec, methods } from "../../video/index.ts";
import { createFaults, type Faults } from "../faults.ts";
import { listenOnLoopback } from "../listen.ts";
import type { VideoNews } from "../types.ts";
import { fixedError } from "./api-error.ts";
import { createAudience, type VideoAudience } from "./audience.ts";
import type { Identify } from "./credentials.ts";
import { buildVideoState, type StoredChannel } from "./data/index.ts";
import { createQuota, mainProject, type Quota } from "./quota.ts";
import { createNews, createReleases, type Releases } from "./releases.ts";
import { toFailure } from "./reply.ts";
import { type StoredUpload, serveMethod, type VideoService } from "./service.ts";
import { addPictures } from "./thumbnails/gallery.ts";
import { createResumableSessions } from "./uploads/session.ts";
import {
  applyMethodOverride,
  type MethodName,
  readApiRequest,
  readVerb,
  type VideoBindings,
} from "./video-request.ts";

export { type AudienceComment, startAudienceComments } from "./audience.ts";
export type { Identify } from "./credentials.ts";
export type { StoredVideo } from "./data/index.ts";
export type { Releases } from "./releases.ts";

export interface VideoOptions {
  /** A free one when absent. */
  readonly port?: number;
  /** Decides which requests a fault's `rate` affects; the sample data does not depend on it. */
  readonly random?: () => number;
  /** Milliseconds since 1970; dates of the sample data are relative to its value at the start. */
  readonly now?: () => number;
  /** The key that is let in. */
  readonly key?: string;
  /** Further keys, each with the daily budgets of a project of its own, named like the key. */
  readonly otherKeys?: readonly string[];
  /** Looks up tokens; no token is valid when absent. */
  readonly identify?: Identify;
  readonly onRequest?: (seen: SeenRequest) => void;
  /** Called when a public video is new, was changed or is gone, as YouTube would report it to its hub. */
  readonly onNews?: (news: VideoNews) => void;
}

export interface VideoServer extends VideoAudience {
  /** Ends with the version segment, `/youtube/v3`. */
  readonly url: string;
  /** Where uploads go; they are taken at `url` too. */
  readonly uploadUrl: string;
  readonly key: string;
  /** The sandbox creator's own channel. */
  readonly ownChannelId: string;
  /** Every channel by its id, as it is now. */
  readonly channels: ReadonlyMap<string, Readonly<StoredChannel>>;
  readonly faults: Faults;
  /** What is spent of the daily budgets; tests can empty and fill them. */
  readonly quota: Quota;
  /** What creators do without the API. */
  readonly releases: Releases;
  /**
   * From now on lists of comments are that far behind what is written and decided; comments that are asked for by their
   * ids are up to date.
   */
  listLate(ms: number): void;
  /** Every file that a method accepted since the start, oldest first. */
  readonly uploads: readonly StoredUpload[];
  close(): Promise<void>;
}

/**
 * Stand-in for the YouTube Data API on 127.0.0.1: sample data that methods change, the rules of the method table,
 * uploads, daily budgets, and generated pictures.
 */
export async function startVideo(options: VideoOptions = {}): Promise<VideoServer> {
  const { port = 0, random, now = Date.now, identify = () => undefined } = options;
  const key = options.key ?? "sandbox-video-key";
  const otherKeys = (options.otherKeys ?? []).map((other) => [other, other] as const);
  const state = buildVideoState(now());
  const faults = createFaults(random);
  const quota = createQuota(now);
  const news = createNews(state, options.onNews ?? (() => undefined));
  const service: VideoService = {
    state,
    news,
    credentials: { keys: new Map([[key, mainProject], ...otherKeys]), identify },
    quota,
    sessions: createResumableSessions(now),
    now,
    lateMs: 0,
    uploads: [],
  };

  const app = new Hono<VideoBindings>();
  if (options.onRequest !== undefined) app.use(observe(options.onRequest));
  app.use(faults.middleware);
  for (const name of Object.keys(methods)) addMethod(app, service, name as MethodName);
  addPictures(app, state);
  app.notFound(() => toFailure(fixedError("unknownPath")));
  app.onError(toFailure);

  const server = await listenOnLoopback(app, port);
  return {
    url: server.origin + base,
    uploadUrl: `${server.origin}/upload${base}`,
    key,
    ownChannelId: state.ownChannelId,
    channels: state.channels,
    faults,
    quota,
    uploads: service.uploads,
    listLate: (ms) => {
      service.lateMs = ms;
    },
    releases: createReleases(state, news, now),
    ...createAudience(state, now),
    close: server.close,
  };
}

/** A request to the stand-in, reported when its answer has left or its connection broke. */
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

/** The path before that of a method. */
const base = "/youtube/v3";
/** Uploads have addresses of their own, and are taken at the plain one too. */
const prefixes = ["", "/upload", "/resumable/upload"];

/** Lets a method answer at its addresses. */
function addMethod(app: Hono<VideoBindings>, service: VideoService, name: MethodName): void {
  const methodSpec: MethodSpec = methods[name];
  const path = base + methodSpec.path.replace(/\{(\w+)\}/g, ":$1");
  const paths = prefixes.map((prefix) => prefix + path);
  // A query that is too long for an address comes in the body of a POST.
  // A session is opened with the method's own verb and continued with PUT, or with POST by some clients.
  const verbs = [methodSpec.verb, "POST", ...(methodSpec.media?.direction === "up" ? ["PUT"] : [])];
  app.on([...new Set(verbs)], paths, async (c, next) => {
    const apiRequest = readApiRequest(c);
    if (readVerb(apiRequest) !== methodSpec.verb && !apiRequest.search.has("upload_id"))
      return next();
    const request = await applyMethodOverride(apiRequest);
    const uploadId = request.search.get("upload_id") ?? "";
    c.set("method", service.sessions.find(uploadId)?.method ?? name);
    c.set("request", request);
    for (const [param, value] of Object.entries<string>(c.req.param()))
      request.search.set(param, value);
    return serveMethod(service, name, request);
  });
}

/** Reports every request, including those with faults. */
function observe(onRequest: (seen: SeenRequest) => void): MiddlewareHandler<VideoBindings> {
  return async (c, next) => {
    const { searchParams: query, pathname: path } = new URL(c.req.url);
    const { outgoing } = c.env;
    outgoing.once("close", () => {
      onRequest({
        method: c.get("method"),
        verb: c.req.method,
        path,
        query,
        resource: c.get("request")?.resource ?? {},
        received: c.get("request")?.received() ?? 0,
        status: outgoing.writableFinished ? outgoing.statusCode : undefined,
      });
    });
    await next();
  };
}
