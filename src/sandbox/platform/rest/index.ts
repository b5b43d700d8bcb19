import { Hono, type MiddlewareHandler } from "hono";
import type { Faults } from "../../faults.ts";
import { belowVersion } from "../api-versions.ts";
import { Rejection, rejections } from "../rejection.ts";
import type { World } from "../world.ts";
import { channelSettingRoutes } from "./channel-settings.ts";
import { channelAccess, channelRoutes } from "./channels.ts";
import { commandRoutes } from "./commands.ts";
import { expressionRoutes } from "./expressions.ts";
import { guildAccess, guildRoutes, identityRoutes } from "./identity.ts";
import { interactionRoutes } from "./interactions.ts";
import { createLimits } from "./limits.ts";
import { memberRoutes } from "./members.ts";
import { pinRoutes } from "./pins.ts";
import { reactionRoutes } from "./reactions.ts";
import { type RestEnv, receive } from "./request.ts";
import { threadRoutes } from "./threads.ts";
import { webhookRoutes } from "./webhooks.ts";

/** One request of the bot and its answer. */
export interface Exchange {
  readonly method: string;
  /** Below the version, without the query: `/channels/1/messages`. */
  readonly path: string;
  readonly query: string;
  /** The JSON, or `payload_json` of a form; undefined when there was none. */
  readonly requestBody: unknown;
  readonly requestFiles: readonly {
    readonly name: string;
    readonly type: string;
    readonly bytes: number;
    readonly data: Uint8Array;
  }[];
  readonly status: number;
  /** Undefined for an answer without a body. */
  readonly responseBody: unknown;
}

export interface RestOptions {
  readonly faults: Faults;
  /** Whether empty buckets answer 429 at the moment. */
  readonly hasLimits: () => boolean;
  /** Without an observer answers are not read a second time. */
  readonly isObserved: () => boolean;
  readonly onExchange: (exchange: Exchange) => void;
}

/** A form of fields, where others carry `payload_json`. */
const stickers = /^\/guilds\/\d+\/stickers$/;
// The token of some stands in their address; where the gateway is, everyone may know.
const open = /^\/(webhooks|interactions)\/|^\/gateway$/;

/** Below the version; `@original` and emoji may come encoded. */
function pathOf(url: string): string {
  const path = belowVersion(new URL(url).pathname);
  try {
    return decodeURIComponent(path);
  } catch {
    // What is encoded wrongly is no address of anything.
    throw rejections.noRoute();
  }
}

/** The REST side of the platform, below `/api` and its versions. */
export function restRoutes(world: World, options: RestOptions): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.use(options.faults.middleware);
  app.use(observe(options));
  app.use(admit(world, options.hasLimits));

  app.route("/", identityRoutes(world));
  app.route("/applications", commandRoutes(world));
  app.use("/channels/:channelId/*", channelAccess(world));
  app.route("/channels", channelSettingRoutes(world));
  app.route("/channels", pinRoutes(world));
  app.route("/channels", channelRoutes(world));
  app.route("/channels", reactionRoutes(world));
  for (const list of ["roles", "channels", "threads/active", "members/*"]) {
    app.use(`/guilds/:guildId/${list}`, guildAccess(world));
  }
  app.route("/", threadRoutes(world));
  app.route("/guilds", guildRoutes(world));
  app.route("/guilds", memberRoutes(world));
  app.route("/guilds", expressionRoutes(world));
  app.route("/interactions", interactionRoutes(world));
  app.route("/webhooks", webhookRoutes(world));
  // Not `notFound`: that of an app mounted in another is never asked.
  app.all("*", () => {
    throw rejections.noRoute();
  });
  app.onError((error, c) => {
    if (error instanceof Rejection) return c.json(error.body(), error.status);
    throw error;
  });
  return app;
}

/** Tells of every request and its answer. */
function observe({ isObserved, onExchange }: RestOptions): MiddlewareHandler<RestEnv> {
  return async (c, next) => {
    await next();
    if (!isObserved()) return;
    const received = c.get("received");
    const text = await c.res.clone().text();
    onExchange({
      method: c.req.method,
      path: pathOf(c.req.url),
      query: new URL(c.req.url).search,
      requestBody: received?.json,
      requestFiles: [...(received?.uploads.values() ?? [])].map(({ name, type, data }) => ({
        name,
        type,
        bytes: data.byteLength,
        data,
      })),
      status: c.res.status,
      responseBody: text === "" ? undefined : JSON.parse(text),
    });
  };
}

/** Reads the body, and lets through who has the token and has not asked too often. */
function admit(world: World, hasLimits: () => boolean): MiddlewareHandler<RestEnv> {
  const limits = createLimits(world.now);
  return async (c, next) => {
    const path = pathOf(c.req.url);
    const isPlainForm = stickers.test(path);
    c.set("received", await receive(c.req.raw, world.attachmentLimit, isPlainForm));
    if (!open.test(path) && c.req.header("authorization") !== `Bot ${world.token}`) {
      throw rejections.unauthorized();
    }
    if (!hasLimits()) return next();
    const { headers, isExceeded, retryAfterSeconds } = limits.take(c.req.method, path);
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    if (!isExceeded) return next();
    const message = "You are being rate limited.";
    return c.json({ message, retry_after: retryAfterSeconds, global: false, code: 0 }, 429);
  };
}
