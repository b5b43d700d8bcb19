import type { Server } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { openHealth } from "./bot/health.ts";
import { openRooms, type Rooms } from "./bot/open-rooms.ts";
import { openProcesses, type Processes } from "./bot/processes.ts";
import type { Config } from "./config.ts";
import {
  connectDiscord,
  type Discord,
  discordAttachmentHosts,
  type GatewayArrival,
  loadCommands,
} from "./discord/index.ts";
import type { BotError } from "./errors.ts";
import { createLanguages, type Languages, locales } from "./language/index.ts";
import type { Log, Secrets } from "./log.ts";
import type { CostKind } from "./moderation/index.ts";
import type { Links } from "./oauth/index.ts";
import {
  createGatewaySessions,
  createIdentifyTurn,
  passwordsOf,
  type Store,
} from "./store/index.ts";
import { warmVideoClient } from "./video/index.ts";
import { type DiscordEndpoint, type HubCallback, startWeb, type Web } from "./web/index.ts";

export interface StartBotOptions {
  readonly log: Log;
  readonly secrets: Secrets;
  readonly now?: () => number;
  readonly random?: () => number;
  /** How the cost of running rules is counted; by the CPU time of the rule thread when absent. */
  readonly ruleCosts?: CostKind | undefined;
  /** Called with the store before the first interaction. */
  readonly onStore?: (store: Store) => Promise<void>;
  /** A server that already holds the port of the pages behind PUBLIC_URL. */
  readonly listener?: Server;
}

export interface Bot {
  readonly applicationId: string;
  /** Base address of `/healthz`, `/readyz` and `/metrics`. */
  readonly healthUrl: string;
  /** Resolves when the interaction with this id is handled. */
  settled(interactionId: string): Promise<void>;
  /** Resolves when Discord no longer accepts the bot, with the error to show to the operator. */
  readonly ended: Promise<BotError>;
  /**
   * Waits up to 8 s for running work, so that everything is over within the 10 s that a supervisor waits. Over HTTP, first
   * takes interactions for `graceMs` more, until balancers have noticed that it is no longer ready.
   */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

/** Over HTTP, two seconds more are for balancers, and for what is on its way from them. */
const drainMs = 3_000;

/**
 * The composition root: config -> services -> commands -> client. Resolves when the bot answers interactions.
 * @throws BotError that explains to the operator why it can't start: a ConfigError for a store, key or token that can't be used.
 */
export async function startBot(config: Config, options: StartBotOptions): Promise<Bot> {
  const { log, now = Date.now } = options;
  const token = requireToken(config);
  addSecrets(config, token, options.secrets);
  const talking = Promise.withResolvers<Discord>();
  const rooms = await openRooms(config, options, talking.promise);
  const { jobs, store, linking, queues, http, retention } = rooms;
  const isOverHttp = config.discord.publicKey !== undefined;
  let discord: Discord | undefined;
  let pages: Web | undefined;
  let processes: Processes | undefined;
  let isReady = false;
  const closeAll = async () => {
    const closing = pages?.close();
    // Over HTTP first, so that what has reached this process is still taken.
    if (isOverHttp) await closing;
    await Promise.all([discord?.close(drainMs), closing]);
    // Before the rest, so that nothing new is begun that needs it.
    await jobs.close();
    await processes?.close();
    await rooms.close();
  };
  const health = await openHealth({
    config,
    metrics: rooms.metrics,
    store,
    images: rooms.images,
    jobs,
    log,
    discord: () => (isReady ? discord : undefined),
    cutouts: rooms.allowances.load,
    comments: queues.moderation.load,
  }).catch(async (error: unknown) => {
    await closeAll();
    throw error;
  });
  try {
    await options.onStore?.(store);
    const languages = createLanguages();
    processes = await openProcesses({
      jobs,
      store,
      discord: talking.promise,
      config,
      log,
      onLost: () => discord?.stopLost(),
    });
    const connected = await connectDiscord({
      token,
      apiUrl: config.discord.apiUrl,
      arrival: arrivalOf(config, rooms),
      loadCatalogue: () => loadCommands(new URL("../commands/", import.meta.url)),
      loadFeatures: () => loadFeatures(config, rooms, options),
      services: servicesFor(config, options, { rooms, languages }),
      requestsPerSecond: processes.requestsPerSecond,
      config,
    });
    discord = connected;
    talking.resolve(connected);
    await retention.start();
    // Only now, because a balancer sends interactions to every open port.
    pages = await openPages(config, {
      links: linking.links,
      languages,
      hub: queues.feeds.hub,
      log,
      now,
      listener: options.listener,
      take: connected.take,
      onRequest: rooms.metrics.discordRequest,
      onDeauthorized: retention.reconcileSoon,
      onAdded: rooms.welcome,
    });
    // Last: jobs need everything else.
    jobs.start();
    await Promise.all([http.warm(), warmVideoClient()]);
    isReady = true;
    const { applicationId, settled, ended } = connected;
    return {
      applicationId,
      settled,
      ended,
      healthUrl: health.url,
      close: async ({ graceMs = 0 } = {}) => {
        // From here on it reports that it is not ready; it reports that it is alive until the end.
        isReady = false;
        if (isOverHttp) await wait(graceMs);
        await closeAll();
        await health.close();
      },
    };
  } catch (error) {
    await closeAll();
    await health.close();
    throw error;
  }
}

function requireToken({ discord: { token } }: Config): string {
  if (token !== undefined) return token;
  throw new TypeError("the bot needs a token; without one the sandbox starts it");
}

/** The operator's own secrets, which the log must never show. */
function addSecrets({ store }: Config, token: string, secrets: Secrets): void {
  secrets.add(token);
  for (const { key } of store.keys) secrets.add(Buffer.from(key).toString("base64"));
  for (const password of passwordsOf(store.url)) secrets.add(password);
}

/** What handlers work with. */
async function loadFeatures(
  { background }: Config,
  rooms: Rooms,
  { log, now = Date.now }: StartBotOptions,
) {
  const { createFeatureContexts } = await import("./features/index.ts");
  const { store, images, clients, queues, linking } = rooms;
  const { moderation, feeds } = queues;
  const { links, verifier, channelsOf } = linking;
  const pictureLimits = { maxBytes: background.maxBytes, maxPixels: 50_000_000 };
  return createFeatureContexts({
    store,
    images,
    clients,
    now,
    log,
    moderation,
    feeds,
    links,
    verifier,
    channelsOf,
    pictureLimits,
  });
}

/** The services that answer interactions. */
function servicesFor(
  { discord }: Config,
  { log, now = Date.now, random = Math.random }: StartBotOptions,
  { rooms, languages }: { readonly rooms: Rooms; readonly languages: Languages },
) {
  const { store, http, metrics, jobs } = rooms;
  return {
    store,
    http,
    languages,
    commandIds: new Map(),
    log,
    now,
    random,
    get processId() {
      return jobs.processId;
    },
    attachmentHosts: attachmentHosts(discord),
    siteUrl: discord.siteUrl,
    observer: metrics.interaction,
  };
}

function arrivalOf(
  { discord: { publicKey, shards, shardCount } }: Config,
  { jobs, store: { database } }: Rooms,
): GatewayArrival | "http" {
  if (publicKey !== undefined) return "http";
  return {
    shards,
    shardCount,
    identifyTurn: createIdentifyTurn(database),
    sessions: createGatewaySessions(database, () => jobs.processId),
  };
}

/** Discord's own hosts, and those of what stands in for Discord. */
function attachmentHosts({ apiUrl, siteUrl }: Config["discord"]): readonly string[] {
  const hosts = new Set([apiUrl, siteUrl].map((url) => new URL(url).host));
  hosts.delete("discord.com");
  return [...discordAttachmentHosts, ...hosts];
}

interface LinkPagesDeps extends Pick<DiscordEndpoint, "take" | "onRequest"> {
  readonly links: Links;
  readonly languages: Languages;
  readonly hub: HubCallback;
  readonly log: Log;
  readonly now: () => number;
  /** A server that already holds the port. */
  readonly listener?: Server | undefined;
  /** Called when somebody has taken the application's rights away; perhaps its servers too. */
  readonly onDeauthorized: () => void;
  /** Called when somebody has added the bot to a server. */
  readonly onAdded: (guildId: string) => Promise<void>;
}

const defaultPort = 8080;

/**
 * Starts the pages of links, and what Discord posts to; undefined if nobody could reach them.
 * @throws ConfigError `port_taken` or `port_forbidden`.
 */
async function openPages(config: Config, deps: LinkPagesDeps): Promise<Web | undefined> {
  const { publicUrl, discord, oauth, port = defaultPort } = config;
  if (publicUrl === undefined) return undefined;
  const { links, languages, hub, log, now, listener, take, onRequest } = deps;
  const { publicKey } = discord;
  return startWeb({
    links,
    hub,
    ...(publicKey !== undefined && {
      discord: {
        publicKey,
        take,
        onRequest,
        doctorSecret: config.store.keys[0]?.key,
        onEvent: (type, data) => onDiscordEvent(deps, type, data),
      },
    }),
    publicUrl,
    goesTo: [oauth.authorizeUrl, ...(discord.clientSecret === undefined ? [] : [discord.siteUrl])],
    discordUrl: discord.siteUrl,
    words: { locales, of: languages.of },
    port: listener ?? port,
    host: hostFor(publicUrl),
    log: log.child({ room: "web" }),
    now,
  });
}

function onDiscordEvent(
  { onDeauthorized, onAdded, log }: LinkPagesDeps,
  type: string,
  data: unknown,
): void {
  if (type === "APPLICATION_DEAUTHORIZED") onDeauthorized();
  if (type !== "APPLICATION_AUTHORIZED") return;
  // A person can add the commands to their own account as well; that names no server.
  const { guild } = Object(data) as { guild?: { id?: unknown } };
  if (typeof guild?.id !== "string") return;
  onAdded(guild.id).catch((error: unknown) => log.warn("a server was not welcomed", { error }));
}

/** With a local address, only this machine can connect; with https, the proxy may run on another machine. */
function hostFor(publicUrl: string): string | undefined {
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol === "https:") return undefined;
  return hostname === "[::1]" ? "::1" : "127.0.0.1";
}
