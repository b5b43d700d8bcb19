import type { Server } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { serveHealth } from "./bot/health.ts";
import { servePages } from "./bot/pages.ts";
import { openProcesses, type Processes } from "./bot/processes.ts";
import { createRooms, type Rooms } from "./bot/rooms.ts";
import type { RoomsDeps } from "./bot/rooms-deps.ts";
import { openStorage } from "./bot/storage.ts";
import type { Config } from "./config.ts";
import {
  connectDiscord,
  type Discord,
  discordAttachmentHosts,
  type GatewayArrival,
  loadCommands,
} from "./discord/index.ts";
import type { BotError } from "./errors.ts";
import { createLanguages, type Languages } from "./language/index.ts";
import type { Log, Secrets } from "./log.ts";
import {
  createGatewaySessions,
  createIdentifyTurn,
  findPasswords,
  type Store,
} from "./store/index.ts";
import { warmVideoClient } from "./video/index.ts";
import type { Web } from "./web/index.ts";

export interface StartBotOptions extends Pick<RoomsDeps, "ruleCosts" | "publicStandIn"> {
  readonly log: Log;
  readonly secrets: Secrets;
  readonly now?: () => number;
  readonly random?: () => number;
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
 * Opens the storage, makes the rooms over it (`bot/rooms.ts`), connects Discord and starts the jobs. Resolves when the bot
 * answers interactions.
 * @throws BotError that explains to the operator why it can't start: a ConfigError for a store, key or token that can't be used.
 */
export async function startBot(config: Config, options: StartBotOptions): Promise<Bot> {
  const { log, secrets, now = Date.now, random = Math.random, ruleCosts, publicStandIn } = options;
  const token = requireToken(config);
  addSecrets(config, token, secrets);
  const whenConnected = Promise.withResolvers<Discord>();
  const deps: RoomsDeps = {
    ...(await openStorage(config, options)),
    config,
    discord: whenConnected.promise,
    log,
    secrets,
    now,
    random,
    ruleCosts,
    publicStandIn,
  };
  const { jobs, store } = deps;
  const rooms = createRooms(deps);
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
  const health = await serveHealth(deps, rooms, () => (isReady ? discord : undefined)).catch(
    async (error: unknown) => {
      await closeAll();
      throw error;
    },
  );
  try {
    await options.onStore?.(store);
    const languages = createLanguages();
    processes = await openProcesses({ ...deps, onLost: () => discord?.stopLost() });
    discord = await connectDiscord({
      token,
      apiUrl: config.discord.apiUrl,
      arrival: isOverHttp ? "http" : gatewayArrival(deps),
      loadCatalogue: () => loadCommands(new URL("../commands/", import.meta.url)),
      loadFeatures: async () => {
        const { createFeatureContexts } = await import("./features/index.ts");
        return createFeatureContexts(rooms.features);
      },
      services: discordServices(deps, rooms, languages),
      requestsPerSecond: processes.requestsPerSecond,
      config,
    });
    whenConnected.resolve(discord);
    await rooms.retention.start();
    // Only now, because a balancer sends interactions to every open port.
    pages = await servePages(deps, rooms, { languages, discord, listener: options.listener });
    // Last: jobs need everything else.
    jobs.start();
    await Promise.all([rooms.http.warm(), warmVideoClient()]);
    isReady = true;
    const { applicationId, settled, ended } = discord;
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
  for (const password of findPasswords(store.url)) secrets.add(password);
}

function gatewayArrival({ config, jobs, store }: RoomsDeps): GatewayArrival {
  const { shards, shardCount } = config.discord;
  return {
    shards,
    shardCount,
    identifyTurn: createIdentifyTurn(store.database),
    sessions: createGatewaySessions(store.database, () => jobs.processId),
  };
}

/** What interactions are answered with. */
function discordServices(
  { config, jobs, store, log, now, random }: RoomsDeps,
  { http, metrics }: Rooms,
  languages: Languages,
) {
  const { apiUrl, siteUrl } = config.discord;
  // Discord's own hosts, and those of what stands in for Discord.
  const hosts = new Set([apiUrl, siteUrl].map((url) => new URL(url).host));
  hosts.delete("discord.com");
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
    attachmentHosts: [...discordAttachmentHosts, ...hosts],
    siteUrl,
    observer: metrics.interaction,
  };
}
