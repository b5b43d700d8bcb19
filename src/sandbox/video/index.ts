import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { type MethodSpec, methods } from "../../video/index.ts";
import { createFaults, type Faults } from "../faults.ts";
import { listen } from "../listen.ts";
import { etagOf } from "./answer.ts";
import { MediaAnswer } from "./call.ts";
import { authorise, type Credentials, type Identify } from "./credentials.ts";
import { selectFields } from "./fields.ts";
import { readQuery } from "./query.ts";
import { createQuota, type Quota } from "./quota.ts";
import { Refusal } from "./refusal.ts";
import { handlers } from "./resources/index.ts";
import { createGallery } from "./thumbnails/index.ts";
import { buildWorld, type World } from "./world/index.ts";

export type { Identify, Identity } from "./credentials.ts";

export interface VideoOptions {
  /** A free one when absent. */
  readonly port?: number;
  /** Decides where a fault's `rate` strikes; the world is the same whatever it says. */
  readonly random?: () => number;
  /** Milliseconds since 1970; the world's dates are relative to its value at the start. */
  readonly now?: () => number;
  /** The only key that is let in. */
  readonly key?: string;
  /** Tells what a token stands for; no token is good when absent. */
  readonly identify?: Identify;
}

export interface VideoServer {
  /** Ends with the version segment, `/youtube/v3`. */
  readonly url: string;
  readonly key: string;
  /** The sandbox creator's own channel. */
  readonly ownChannelId: string;
  readonly faults: Faults;
  close(): Promise<void>;
}

type Bindings = { Bindings: HttpBindings };

interface Service {
  readonly world: World;
  readonly credentials: Credentials;
  readonly quota: Quota;
  readonly now: () => number;
}

const base = "/youtube/v3";

/**
 * Stand-in for the video platform data service on 127.0.0.1: a small world that keeps its state, the rules of the
 * method table, daily budgets, and pictures of its own at `/vi` and `/ch`.
 */
export async function startVideo(options: VideoOptions = {}): Promise<VideoServer> {
  const { port = 0, random, now = Date.now, identify = () => undefined } = options;
  const key = options.key ?? "sandbox-video-key";
  const world = buildWorld(now());
  const faults = createFaults(random);
  const service = { world, credentials: { key, identify }, quota: createQuota(now), now };

  const app = new Hono<Bindings>();
  app.use(faults.middleware);
  for (const [name, row] of Object.entries(methods)) {
    const path = base + row.path.replace(/\{(\w+)\}/g, ":$1");
    app.on(row.verb, path, (c) => answer(c, name as keyof typeof methods, service));
  }
  addPictures(app, world);
  app.notFound((c) => c.json(unknownPath().body(), 404));
  app.onError((error, c) =>
    error instanceof Refusal
      ? c.json(error.body(), error.status)
      : c.json({ error: { code: 500, message: `Internal error encountered: ${error}` } }, 500),
  );

  const server = await listen(app, port);
  return {
    url: server.origin + base,
    key,
    ownChannelId: world.ownChannelId,
    faults,
    close: server.close,
  };
}

/** One method: let in, charged, checked, done. Invalid requests are charged too. */
function answer(c: Context<Bindings>, name: keyof typeof methods, service: Service): Response {
  const row: MethodSpec = methods[name];
  const { origin, searchParams } = new URL(c.req.url);
  const identity = authorise(row, c.req.raw, service.credentials);
  service.quota.spend(row);
  const body = handlers[name]?.({
    world: service.world,
    query: readQuery(row, searchParams),
    body: {},
    media: undefined,
    viewer: identity?.channelId,
    now: service.now(),
    origin,
  });
  if (body === undefined || body instanceof MediaAnswer) return c.body(null, 204);
  const etag = etagOf(body);
  if (c.req.header("if-none-match") === etag) return c.body(null, 304, { ETag: etag });
  return c.json(selectFields(body, searchParams.get("fields")), 200, { ETag: etag });
}

function addPictures(app: Hono<Bindings>, world: World): void {
  const gallery = createGallery(world);
  for (const [path, pictures] of [
    ["/vi/:id/:file", gallery.video],
    ["/ch/:id/:file", gallery.channel],
  ] as const) {
    app.get(path, async (c) => {
      const bytes = await pictures(c.req.param("id"), c.req.param("file"));
      if (bytes === undefined) return c.text("Not found", 404);
      const headers = { "Content-Type": "image/jpeg", "Cache-Control": "public, max-age=86400" };
      return c.body(Uint8Array.from(bytes), 200, headers);
    });
  }
}

function unknownPath(): Refusal {
  return new Refusal(404, { reason: "notFound", message: "Not Found" });
}
