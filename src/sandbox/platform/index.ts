import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { WebSocketServer } from "ws";
import { createFaults, type Faults } from "../faults.ts";
import { listenOnLoopback } from "../listen.ts";
import type { Person, PersonName } from "../types.ts";
import { apiRoots, apiVersions } from "./api-versions.ts";
import { cdnRoutes } from "./cdn.ts";
import { type ClientActions, createClientActions } from "./client/client-actions.ts";
import { createControls, type PlatformControls } from "./controls.ts";
import { createPlatformState, type LoginOptions } from "./create-state.ts";
import { createApplicationEndpoints } from "./endpoint/application-endpoints.ts";
import { createGateway, type PlatformGateway } from "./gateway.ts";
import type { GatewayEvent } from "./gateway-session.ts";
import { describeGuild } from "./guild.ts";
import { oauth2Routes } from "./oauth2/index.ts";
import { isLoopbackHost, isOwnOrigin, pageRoutes } from "./page-api.ts";
import { sendEventsToPage } from "./page-events.ts";
import { createPerson, type InteractionSettled } from "./person.ts";
import type { Happenings } from "./protocol.ts";
import { rejection } from "./rejection.ts";
import { restRoutes } from "./rest/index.ts";
import type { RestExchange } from "./rest/request.ts";
import { personNames } from "./sample-guild.ts";
import type { PlatformState } from "./state.ts";

export { rivalFor } from "./client/interactions.ts";
export type { GatewayEvent } from "./gateway-session.ts";
export { servePage } from "./page/serve.ts";
export type { Happenings, ShownHappening } from "./protocol.ts";
export type { RestExchange } from "./rest/request.ts";

/** Answers what the stand-in itself does not: the page and its assets. */
export interface PageSource {
  fetch(request: Request): Promise<Response>;
}

interface PlatformOptions {
  /** Any free port when absent. */
  readonly port?: number;
  readonly random?: () => number;
  /** Milliseconds; decides ids, time stamps, token life and rate limits. */
  readonly now?: () => number;
  readonly page?: PageSource;
  /** Largest attachment in bytes; 10 MiB when absent, as for a server without boosts. */
  readonly attachmentLimit?: number;
  /** Simulated servers beside the real one, in READY and in the list of the bot's servers. */
  readonly extraGuilds?: number;
  /** How a bot may log in at the gateway; with it, a shard that identifies too early is refused, as Discord does. */
  readonly logins?: LoginOptions;
  readonly heartbeatMs?: number;
  /** Whether buckets answer 429 when they are empty; yes when absent. */
  readonly hasLimits?: boolean;
  /** How often an interaction that is posted is followed by a false signature: 0 never, 1 always; seldom when absent. */
  readonly falseSignatures?: number;
  /** How the bot reports that it has finished with an interaction. */
  readonly settled?: InteractionSettled;
  readonly onExchange?: ((exchange: RestExchange) => void) | undefined;
  readonly onGatewayEvent?: ((event: GatewayEvent) => void) | undefined;
}

/** A stand-in for Discord on loopback: gateway, REST, CDN, page. */
export interface Platform extends PlatformControls {
  /** `http://127.0.0.1:<port>`; REST is below `/api`, files are on the same host. */
  readonly url: string;
  readonly token: string;
  readonly applicationId: string;
  /** Of the application, for signing people in: `/oauth2/authorize`, `/api/oauth2/token`, `/api/users/@me`. */
  readonly clientSecret: string;
  /** Of the application, with which what is posted to it can be verified. */
  readonly publicKey: string;
  readonly guildId: string;
  /** Of the channel that everybody sees. */
  readonly channelId: string;
  /** Of the server: texts (type 0), announcements (type 5) and a forum (type 15); members see the first and the announcements. */
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
    PlatformGateway,
    "intents" | "drop" | "reconnect" | "invalidate" | "dispatch" | "send"
  >;
  people(name: PersonName): Person;
  /** Switches rate limits off and on while it runs, for campaigns of thousands of messages. */
  limitRequests(isLimited: boolean): void;
  /** Observes every REST exchange from now on; answers the function that ends it. */
  onExchange(observer: (exchange: RestExchange) => void): () => void;
  /** Observes every event that is sent to the bot; answers the function that ends it. */
  onGatewayEvent(observer: (event: GatewayEvent) => void): () => void;
  /** Sets what the page offers to make happen; nothing at first. */
  useHappenings(happenings: Happenings): void;
  /** Sets how the bot reports that it has finished, once there is a bot. */
  useSettled(settled: InteractionSettled): void;
  /**
   * Sets where interactions are posted, as the application's owner would; null brings them back to the gateway.
   * @throws Rejection for an address that does not answer as it must.
   */
  setInteractionsUrl(url: string | null): Promise<void>;
  /** Starts with an address that was saved and tried at an earlier time. */
  startWithInteractionsUrl(url: string): void;
  /** Sets where webhook events are posted, as the application's owner would. @throws Rejection as above. */
  setEventsUrl(url: string): Promise<void>;
  /** A person adds the application to the server; answers whether it took the webhook event about that. */
  authorize(name: PersonName): Promise<boolean>;
  /** A person takes the application's rights away; answers whether it took the webhook event about that. */
  deauthorize(name: PersonName): Promise<boolean>;
  close(): Promise<void>;
}

/** The share of posted interactions that a request with a false signature follows. */
const defaultFalseSignatures = 1 / 50;
const defaultLimit = 10 * 1_024 * 1_024;
const defaultHeartbeatMs = 41_250;
const keepAliveMs = 75_000;

function observers<T>(first: ((value: T) => void) | undefined) {
  const all = new Set<(value: T) => void>(first === undefined ? [] : [first]);
  return {
    isObserved: () => all.size > 0,
    notify(value: T): void {
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
  const state = createPlatformState({
    now,
    random,
    attachmentLimit: options.attachmentLimit ?? defaultLimit,
    extraGuilds: options.extraGuilds ?? 0,
    logins: options.logins,
  });
  const exchanges = observers<RestExchange>(options.onExchange);
  const events = observers<GatewayEvent>(options.onGatewayEvent);
  const gateway = createGateway(state, {
    heartbeatMs: options.heartbeatMs ?? defaultHeartbeatMs,
    onEvent: events.notify,
  });
  const endpoints = createApplicationEndpoints({
    state,
    falseSignatures: options.falseSignatures ?? defaultFalseSignatures,
    onExchange: exchanges.notify,
    onEvent: events.notify,
  });
  const actions = createClientActions({ state, gateway, endpoints });
  const faults = createFaults(random);
  let settled = options.settled;
  let happenings: Happenings | undefined;
  let hasLimits = options.hasLimits ?? true;
  const rest = restRoutes(state, {
    faults,
    endpoints,
    hasLimits: () => hasLimits,
    isObserved: exchanges.isObserved,
    onExchange: exchanges.notify,
  });
  const app = createApp({
    state,
    actions,
    faults,
    rest,
    page: options.page,
    happenings: () => happenings,
  });
  const { server, origin, close } = await listenOnLoopback(app, options.port ?? 0);
  // Longer than any client keeps an idle connection, so that none is reused in the moment it is closed.
  server.keepAliveTimeout = keepAliveMs;
  state.origin = origin;
  const sockets = acceptSockets(server, { state, actions, gateway });
  const people = Object.fromEntries(
    personNames.map((name) => [
      name,
      createPerson(name, { state, actions, settled: () => settled }),
    ]),
  ) as Record<PersonName, Person>;

  return {
    ...platformFacts(state),
    faults,
    gateway,
    people: (name) => people[name],
    ...createControls(state),
    limitRequests: (isLimited) => {
      hasLimits = isLimited;
    },
    onExchange: exchanges.add,
    onGatewayEvent: events.add,
    useHappenings: (all) => {
      happenings = all;
    },
    useSettled: (hook) => {
      settled = hook;
    },
    setInteractionsUrl: (url) => endpoints.change({ interactions_endpoint_url: url }),
    startWithInteractionsUrl: (url) => {
      state.application.interactionsUrl = url;
    },
    setEventsUrl: (url) =>
      endpoints.change({
        event_webhooks_url: url,
        event_webhooks_status: 2,
        event_webhooks_types: ["APPLICATION_AUTHORIZED", "APPLICATION_DEAUTHORIZED"],
      }),
    authorize: (name) =>
      endpoints.sendEvent("APPLICATION_AUTHORIZED", {
        integration_type: 0,
        user: state.person(name).user,
        scopes: ["bot", "applications.commands"],
        guild: describeGuild(state, state.guild.guildId),
      }),
    deauthorize: (name) =>
      endpoints.sendEvent("APPLICATION_DEAUTHORIZED", { user: state.person(name).user }),
    async close() {
      gateway.close();
      endpoints.close();
      for (const client of sockets.clients) client.terminate();
      await close();
    },
  };
}

function platformFacts({ origin, token, guild, registration, application }: PlatformState) {
  return {
    url: origin,
    token,
    applicationId: guild.bot.id,
    clientSecret: registration.clientSecret,
    publicKey: application.key.publicKey,
    guildId: guild.guildId,
    channelId: guild.channels[0]?.id ?? "",
    channels: guild.channels.map(({ id, name, type }) => ({ id, name: name ?? "", type })),
    ownerId: guild.people.owner.user.id,
  };
}

interface PlatformAppDeps {
  readonly state: PlatformState;
  readonly actions: ClientActions;
  readonly faults: Faults;
  /** What a bot asks, below the versions. */
  readonly rest: ReturnType<typeof restRoutes>;
  readonly page: PageSource | undefined;
  readonly happenings: () => Happenings | undefined;
}

function createApp({
  state,
  actions,
  faults,
  rest,
  page,
  happenings,
}: PlatformAppDeps): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.use(async (c, next) =>
    isLoopbackHost(c.req.header("host")) ? next() : c.text("Only on this machine.", 403),
  );
  // Before the routes of the bot, which has some addresses in common with whom it signed in.
  app.route("/", oauth2Routes(state, faults));
  app.all("/api/:version{v\\d+}/*", (c, next) => {
    const isSpoken = apiVersions.includes(Number(c.req.param("version").slice(1)));
    const refused = rejection("unknownVersion");
    return isSpoken ? next() : Promise.resolve(c.json(refused.body(), refused.status));
  });
  for (const root of apiRoots) app.route(root, rest);
  app.route("/page", pageRoutes({ state, actions, happenings }));
  app.route("/", cdnRoutes(state, faults));
  app.get("*", async (c) => page?.fetch(c.req.raw) ?? c.text("There is no page here.", 404));
  return app;
}

/** Lets pages and bots open their WebSockets. */
function acceptSockets(
  server: Server,
  {
    state,
    actions,
    gateway,
  }: Pick<PlatformAppDeps, "state" | "actions"> & { readonly gateway: PlatformGateway },
): WebSocketServer {
  const sockets = new WebSocketServer({ noServer: true });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", state.origin);
    const { host, origin } = request.headers;
    const isPage = pathname === "/page/socket" && isOwnOrigin(host, origin);
    // A browser always names its origin; the bot has none.
    const isBot = pathname.startsWith("/gateway") && isLoopbackHost(host) && origin === undefined;
    if (!isPage && !isBot) {
      socket.end("HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n");
      return;
    }
    sockets.handleUpgrade(request, socket, head, (connection) => {
      if (isPage) sendEventsToPage(state, actions, connection, request);
      else gateway.accept(connection, searchParams);
    });
  });
  return sockets;
}
