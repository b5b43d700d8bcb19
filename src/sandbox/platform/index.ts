import type { IncomingMessage, Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { type HttpBindings, serve } from "@hono/node-server";
import { Hono } from "hono";
import { WebSocketServer } from "ws";
import { createFaults, type Faults } from "../faults.ts";
import { createPerson, type Settled } from "../people.ts";
import type { Person, PersonName } from "../types.ts";
import { createDesk } from "./acts/desk.ts";
import { apiRoots, apiVersions } from "./api-versions.ts";
import { personNames } from "./cast.ts";
import { cdnRoutes } from "./cdn.ts";
import { actRoutes, isLoopbackHost, isOwnOrigin, welcomePage } from "./door.ts";
import { createGateway, type Gateway, type GatewayEvent } from "./gateway.ts";
import { createKnobs, type Knobs } from "./knobs.ts";
import { oauth2Routes } from "./oauth2/index.ts";
import { rejections } from "./rejection.ts";
import { type Exchange, restRoutes } from "./rest/index.ts";
import { createWorld } from "./world.ts";

export { ActError } from "./acts/act-error.ts";
export { commandText } from "./check/command.ts";
export type { Gateway, GatewayEvent } from "./gateway.ts";
export { InteractionFailed } from "./interaction.ts";
export { type Locale, localeNames } from "./locales.ts";
export type { Exchange } from "./rest/index.ts";
export type { ChannelChanges } from "./world.ts";

/** Answers what the platform itself does not: the page and its assets. */
export interface Page {
  fetch(request: Request): Promise<Response>;
}

export interface PlatformOptions {
  /** Any free port when absent. */
  readonly port?: number;
  readonly random?: () => number;
  /** Milliseconds; decides ids, time stamps, token life and rate limits. */
  readonly now?: () => number;
  readonly page?: Page;
  /** Largest attachment in bytes; 10 MiB when absent, as for a server without boosts. */
  readonly attachmentLimit?: number;
  /** Simulated servers beside the real one, in READY and in the guild list. */
  readonly extraGuilds?: number;
  readonly heartbeatMs?: number;
  /** Whether buckets answer 429 when they are empty; yes when absent. */
  readonly hasLimits?: boolean;
  /** How the bot tells that it has finished with an interaction. */
  readonly settled?: Settled;
  readonly onExchange?: (exchange: Exchange) => void;
  readonly onGatewayEvent?: (event: GatewayEvent) => void;
}

/** A stand-in for Discord on loopback: gateway, REST, CDN, page. */
export interface Platform extends Knobs {
  /** `http://127.0.0.1:<port>`; REST is below `/api`, files are on the same host. */
  readonly url: string;
  readonly token: string;
  readonly applicationId: string;
  /** Of the application, for signing people in: `/oauth2/authorize`, `/api/oauth2/token`, `/api/users/@me`. */
  readonly clientSecret: string;
  readonly guildId: string;
  /** Of the channel that everybody sees. */
  readonly channelId: string;
  /** Of the server: texts (type 0) and a forum (type 15); all but the first are hidden from members. */
  readonly channels: readonly {
    readonly id: string;
    readonly name: string;
    readonly type: number;
  }[];
  /** User id of the server's owner. */
  readonly ownerId: string;
  /** Faults of all REST routes, of the token endpoint and of the CDN's attachments, whose paths begin with `/attachments/` or `/ephemeral-attachments/`. */
  readonly faults: Faults;
  readonly gateway: Pick<
    Gateway,
    "intents" | "drop" | "reconnect" | "invalidate" | "dispatch" | "send"
  >;
  people(name: PersonName): Person;
  /** Switches rate limits off and on while it runs, for campaigns of thousands of messages. */
  limitRequests(isLimited: boolean): void;
  /** Observes every REST exchange from now on; answers the function that ends it. */
  onExchange(observer: (exchange: Exchange) => void): () => void;
  /** Observes every event that is sent to the bot; answers the function that ends it. */
  onGatewayEvent(observer: (event: GatewayEvent) => void): () => void;
  /** Sets how the bot tells that it has finished, once there is a bot. */
  useSettled(settled: Settled): void;
  close(): Promise<void>;
}

const defaultLimit = 10 * 1_024 * 1_024;
const defaultHeartbeatMs = 41_250;
const keepAliveMs = 75_000;

function observers<T>(first: ((value: T) => void) | undefined) {
  const all = new Set<(value: T) => void>(first === undefined ? [] : [first]);
  return {
    isObserved: () => all.size > 0,
    tell(value: T): void {
      for (const observer of all) observer(value);
    },
    add(observer: (value: T) => void): () => void {
      all.add(observer);
      return () => all.delete(observer);
    },
  };
}

/** Starts the stand-in on 127.0.0.1; resolves when it listens. */
export async function startPlatform(options: PlatformOptions = {}): Promise<Platform> {
  const { now = Date.now, random = Math.random } = options;
  const world = createWorld({
    now,
    random,
    attachmentLimit: options.attachmentLimit ?? defaultLimit,
    extraGuilds: options.extraGuilds ?? 0,
  });
  const exchanges = observers<Exchange>(options.onExchange);
  const events = observers<GatewayEvent>(options.onGatewayEvent);
  const gateway = createGateway(world, {
    heartbeatMs: options.heartbeatMs ?? defaultHeartbeatMs,
    onEvent: events.tell,
  });
  const desk = createDesk(world, gateway);
  const faults = createFaults(random);
  let settled = options.settled;
  let hasLimits = options.hasLimits ?? true;

  const app = new Hono<{ Bindings: HttpBindings }>();
  app.use(async (c, next) =>
    isLoopbackHost(c.req.header("host")) ? next() : c.text("Only on this machine.", 403),
  );
  // Before the routes of the bot, which has some addresses in common with whom it signed in.
  app.route("/", oauth2Routes(world, faults));
  const rest = restRoutes(world, {
    faults,
    hasLimits: () => hasLimits,
    isObserved: exchanges.isObserved,
    onExchange: exchanges.tell,
  });
  app.all("/api/:version{v\\d+}/*", (c, next) => {
    const isSpoken = apiVersions.includes(Number(c.req.param("version").slice(1)));
    const refused = rejections.unknownVersion();
    return isSpoken ? next() : Promise.resolve(c.json(refused.body(), refused.status));
  });
  for (const root of apiRoots) app.route(root, rest);
  app.route("/page", actRoutes(world, desk));
  app.route("/", cdnRoutes(world, faults));
  app.get(
    "*",
    async (c) => options.page?.fetch(c.req.raw) ?? c.text("There is no page here.", 404),
  );

  const server = await listen(app, options.port ?? 0);
  const { port } = server.address() as AddressInfo;
  world.origin = `http://127.0.0.1:${port}`;
  const sockets = new WebSocketServer({ noServer: true });

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { pathname, searchParams } = new URL(request.url ?? "/", world.origin);
    const { host, origin } = request.headers;
    const isPage = pathname === "/page/socket" && isOwnOrigin(host, origin);
    // A browser always names its origin; the bot has none.
    const isBot = pathname.startsWith("/gateway") && isLoopbackHost(host) && origin === undefined;
    if (!isPage && !isBot) {
      socket.end("HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n");
      return;
    }
    sockets.handleUpgrade(request, socket, head, (connection) => {
      if (isPage) welcomePage(world, desk, connection, request);
      else gateway.accept(connection, searchParams);
    });
  }
  server.on("upgrade", upgrade);

  const people = Object.fromEntries(
    personNames.map((name) => [name, createPerson(name, { world, desk, settled: () => settled })]),
  ) as Record<PersonName, Person>;

  return {
    url: world.origin,
    token: world.token,
    applicationId: world.cast.bot.id,
    clientSecret: world.registration.clientSecret,
    guildId: world.cast.guildId,
    channelId: world.cast.channels[0]?.id ?? "",
    channels: world.cast.channels.map(({ id, name, type }) => ({ id, name: name ?? "", type })),
    ownerId: world.cast.people.owner.user.id,
    faults,
    gateway,
    people: (name) => people[name],
    ...createKnobs(world),
    limitRequests: (isLimited) => {
      hasLimits = isLimited;
    },
    onExchange: exchanges.add,
    onGatewayEvent: events.add,
    useSettled: (hook) => {
      settled = hook;
    },
    async close() {
      gateway.close();
      for (const client of sockets.clients) client.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function listen(app: Hono<{ Bindings: HttpBindings }>, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    // Without options for other protocols this is a plain HTTP server.
    const server = serve({ fetch: app.fetch, port, hostname: "127.0.0.1" }, () => {
      resolve(server);
    }) as Server;
    // Longer than any client keeps an idle connection, so that none is reused in the moment it is closed.
    server.keepAliveTimeout = keepAliveMs;
    server.once("error", reject);
  });
}
