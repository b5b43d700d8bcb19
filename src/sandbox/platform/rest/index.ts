import { Hono, type MiddlewareHandler } from "hono";
import type { Faults } from "../../faults.ts";
import type { ApplicationEndpoints } from "../endpoint/application-endpoints.ts";
import { describeCallback, takeFirstAnswer } from "../first-answer.ts";
import { Rejection, rejection } from "../rejection.ts";
import type { PlatformState } from "../state.ts";
import { channelAccess, channelRoutes } from "./channel-messages.ts";
import { channelSettingRoutes } from "./channel-settings.ts";
import { commandRoutes } from "./commands.ts";
import { expressionRoutes } from "./expressions.ts";
import { guildRoutes, identityRoutes } from "./identity.ts";
import { memberRoutes } from "./members.ts";
import { isCrossposted } from "./message-rules.ts";
import { pinRoutes } from "./pins.ts";
import { createLimits } from "./rate-limits.ts";
import { reactionRoutes } from "./reactions.ts";
import { type RestEnv, type RestExchange, readParam, receiveRestBody } from "./request.ts";
import { scheduledEventRoutes } from "./scheduled-events.ts";
import { threadRoutes } from "./threads.ts";
import { webhookRoutes } from "./webhooks.ts";

interface RestOptions {
  readonly faults: Faults;
  readonly endpoints: Pick<ApplicationEndpoints, "change">;
  /** Whether empty buckets answer 429 at the moment. */
  readonly hasLimits: () => boolean;
  /** Without an observer answers are not read a second time. */
  readonly isObserved: () => boolean;
  readonly onExchange: (exchange: RestExchange) => void;
}

/** A form of fields, where others carry `payload_json`. */
const stickers = /^\/guilds\/\d+\/stickers$/;
// Some routes carry their token in the path; the gateway's address is public.
const open = /^\/(webhooks|interactions)\/|^\/gateway$/;

/** Below the version; `@original` and emoji may come encoded. */
function readPath(url: string): string {
  const { pathname } = new URL(url);
  const [, path = pathname] = /^\/api(?:\/v\d{1,2})?(|\/.*)$/s.exec(pathname) ?? [];
  try {
    return decodeURIComponent(path);
  } catch {
    // What is encoded wrongly is no address of anything.
    throw rejection("noRoute");
  }
}

/** Discord's REST API, below `/api` and its versions. */
export function restRoutes(state: PlatformState, options: RestOptions): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.use(options.faults.middleware);
  app.use((c, next) => {
    // Bots compare it with their own clock.
    c.header("Date", new Date(state.now()).toUTCString());
    return next();
  });
  app.use(observe(options));
  app.use(admit(state, options.hasLimits));

  app.route("/", identityRoutes(state, options.endpoints));
  app.route("/applications", commandRoutes(state));
  app.use("/channels/:channelId/*", channelAccess(state));
  app.route("/channels", channelSettingRoutes(state));
  app.route("/channels", pinRoutes(state));
  app.route("/channels", channelRoutes(state));
  app.route("/channels", reactionRoutes(state));
  for (const list of ["roles", "channels", "threads/active", "members/*"]) {
    app.use(`/guilds/:guildId/${list}`, (c, next) => {
      if (!state.guildIds.has(readParam(c, "guildId"))) throw rejection("unknownGuild");
      return next();
    });
  }
  app.route("/", threadRoutes(state));
  app.route("/guilds", guildRoutes(state));
  app.route("/guilds", memberRoutes(state));
  app.route("/guilds", expressionRoutes(state));
  app.route("/guilds", scheduledEventRoutes(state));
  app.post("/interactions/:interactionId/:token/callback", (c) => {
    const interaction = state.interactions.get(c.req.param("token"));
    if (interaction?.id !== c.req.param("interactionId")) throw rejection("unknownInteraction");
    if (interaction?.state === "expired") throw rejection("unknownInteraction");
    if (interaction?.state !== "open") throw rejection("alreadyAcknowledged");
    const answer = takeFirstAnswer(state, interaction, c.get("received"));
    if (c.req.query("with_response") !== "true") return c.body(null, 204);
    return c.json(describeCallback(state, interaction, answer));
  });
  app.route("/webhooks", webhookRoutes(state));
  // Not `notFound`: that of an app mounted in another is never asked.
  app.all("*", () => {
    throw rejection("noRoute");
  });
  app.onError((error, c) => {
    if (error instanceof Rejection) return c.json(error.body(), error.status);
    throw error;
  });
  return app;
}

/** Reports every request with its answer. */
function observe({ isObserved, onExchange }: RestOptions): MiddlewareHandler<RestEnv> {
  return async (c, next) => {
    await next();
    if (!isObserved()) return;
    const received = c.get("received");
    const text = await c.res.clone().text();
    onExchange({
      method: c.req.method,
      path: readPath(c.req.url),
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

/** Reads the body, then checks the token and the rate limits. */
function admit(state: PlatformState, hasLimits: () => boolean): MiddlewareHandler<RestEnv> {
  const takeAllowance = createLimits({
    now: state.now,
    isCrossposted: (id) => isCrossposted(state.messages.get(id)),
  });
  return async (c, next) => {
    const path = readPath(c.req.url);
    const isPlainForm = stickers.test(path);
    c.set("received", await receiveRestBody(c.req.raw, state.attachmentLimit, isPlainForm));
    if (!open.test(path) && c.req.header("authorization") !== `Bot ${state.token}`) {
      throw rejection("unauthorized");
    }
    if (!hasLimits()) return next();
    const allowance = takeAllowance(c.req.method, path);
    for (const [name, value] of Object.entries(allowance.headers)) c.header(name, value);
    if (!allowance.isExceeded) return next();
    const { message, code, isGlobal, retryAfterSeconds } = allowance;
    return c.json({ message, retry_after: retryAfterSeconds, global: isGlobal, code }, 429);
  };
}
