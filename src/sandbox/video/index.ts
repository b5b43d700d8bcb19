import { Hono } from "hono";
import { methods } from "../../video/index.ts";
import { createFaults, type Faults } from "../faults.ts";
import { listen } from "../listen.ts";
import type { Identify } from "./credentials.ts";
import type { Bindings } from "./incoming.ts";
import { createNews, type Novelty } from "./news.ts";
import { createQuota, mainProject, type Quota } from "./quota.ts";
import { Refusal } from "./refusal.ts";
import { createReleases, type Releases } from "./releases.ts";
import { toFailure, toResponse } from "./reply.ts";
import { addMethod, base, observe, type SeenRequest } from "./routes.ts";
import type { MethodName, Service, StoredUpload } from "./service.ts";
import { addPictures } from "./thumbnails/index.ts";
import { createSessions } from "./uploads/index.ts";
import { createVisitors, type Visitors } from "./visitors.ts";
import { buildWorld, type Channel } from "./world/index.ts";

export type { Identify, Identity } from "./credentials.ts";
export type { Novelty } from "./news.ts";
export type { Quota } from "./quota.ts";
export type { Release, Releases } from "./releases.ts";
export type { SeenRequest } from "./routes.ts";
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
  /** Told what everybody sees anew, changed or no more: what the service publishes to its hub. */
  readonly onNews?: (novelty: Novelty) => void;
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
  /** What creators do while the service runs. */
  readonly releases: Releases;
  /**
   * Lists of comments tell of what comes and of what is decided that much later from now on; comments that are asked
   * for by their ids are as they are.
   */
  listLate(ms: number): void;
  /** Every file that a method took in since the start, oldest first; as many of `videos.insert` as videos were made. */
  readonly uploads: readonly StoredUpload[];
  close(): Promise<void>;
}

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
  const news = createNews(world, options.onNews ?? (() => undefined));
  const service: Service = {
    world,
    news,
    credentials: { keys: new Map([[key, mainProject], ...otherKeys]), identify },
    quota,
    sessions: createSessions(now),
    now,
    late: { ms: 0 },
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
    listLate: (ms) => {
      service.late.ms = ms;
    },
    releases: createReleases(world, news, now),
    ...createVisitors(world, now),
    close: server.close,
  };
}

function unknownPath(): Refusal {
  return new Refusal(404, { reason: "notFound", message: "Not Found" });
}
