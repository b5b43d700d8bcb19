import { createHmac } from "node:crypto";
import type { Server } from "node:net";
import { clientsOf, createAllowances } from "./bot/clients.ts";
import { openHealth, servicesOf, versionOf } from "./bot/health.ts";
import { openLinking } from "./bot/linking.ts";
import { createNotices } from "./bot/notices.ts";
import { openPages } from "./bot/pages.ts";
import { openQueues } from "./bot/queues.ts";
import { createRetention } from "./bot/retention.ts";
import { createSpending } from "./budget/index.ts";
import { clockOf } from "./clock.ts";
import type { Config } from "./config.ts";
import { type Database, openDatabase } from "./database/index.ts";
import {
  connectDiscord,
  type Discord,
  discordAttachmentHosts,
  loadCommands,
} from "./discord/index.ts";
import type { BotError } from "./errors.ts";
import { createHttp } from "./http/index.ts";
import { createImages } from "./images/index.ts";
import { createJobs, type Jobs } from "./jobs/index.ts";
import { createLanguages } from "./language/index.ts";
import type { Log, Secrets } from "./log.ts";
import type { CostKind } from "./moderation/index.ts";
import { revocationJob } from "./oauth/index.ts";
import { createStore, passwordsOf, type Store } from "./store/index.ts";
import { warmVideoClient } from "./video/index.ts";
import { createMetrics, type Web, watchedHttp } from "./web/index.ts";

export interface StartBotOptions {
  readonly log: Log;
  readonly secrets: Secrets;
  readonly now?: () => number;
  readonly random?: () => number;
  /** How it is counted what judging comments costs; by the time of the thread that does it when absent. */
  readonly ruleCosts?: CostKind | undefined;
  /** Done with the store before the first interaction. */
  readonly onStore?: (store: Store) => Promise<void>;
  /** Holds the port of the pages behind PUBLIC_URL already. */
  readonly listener?: Server;
}

export interface Bot {
  readonly applicationId: string;
  /** Of `/healthz`, `/readyz` and `/metrics`. */
  readonly healthUrl: string;
  /** Resolves when the interaction of this id has been dealt with. */
  settled(interactionId: string): Promise<void>;
  /** Resolves when Discord takes the bot no more, with what to tell the operator. */
  readonly ended: Promise<BotError>;
  /** Drains for up to 8 s, so that all is over within the 10 s a supervisor waits. */
  close(): Promise<void>;
}

const drainMs = 6000;

/**
 * The composition root: config -> services -> commands -> client. Resolves when the bot answers interactions.
 * @throws BotError that tells the operator why it can't: a ConfigError for a store, key or token that can't be used.
 */
export async function startBot(config: Config, options: StartBotOptions): Promise<Bot> {
  const { log, secrets, now = Date.now, random = Math.random } = options;
  const { token, apiUrl } = config.discord;
  if (token === undefined)
    throw new TypeError("the bot needs a token; without one the sandbox starts it");
  secrets.add(token);
  for (const { key } of config.store.keys) secrets.add(Buffer.from(key).toString("base64"));
  for (const password of passwordsOf(config.store.url)) secrets.add(password);
  const database = await openDatabase({
    ...{ url: config.store.url, now: options.now },
    onWarning: (what) => log.warn(what),
  });
  const jobs = createJobs({
    ...{ database, random, clock: clockOf(now) },
    log: log.child({ room: "jobs" }),
  });
  const store = await openStoreOver(database, { config, jobs, secrets });
  const metrics = createMetrics({ version: versionOf() });
  const http = watchedHttp(createHttp({ now, random }), {
    services: servicesOf(config),
    observe: metrics.request,
  });
  const images = createImages({ log });
  const spending = createSpending({
    database,
    clock: clockOf(now),
    secret: secretOf(config),
    onFailure: (error) => log.warn("spending is counted in memory only", { error }),
  });
  const talking = Promise.withResolvers<Discord>();
  const notices = createNotices({ jobs, discord: talking.promise });
  const linking = openLinking(config, {
    ...{ store, jobs, http, spending, secrets, log, now, notices },
    onRefresh: metrics.refresh,
    onPending: async (facts) => {
      await (await talking.promise).tell({ name: "link-pending", facts });
    },
  });
  const { tokens } = linking;
  const allowances = createAllowances(now);
  const languages = createLanguages();
  const clients = clientsOf(config, {
    ...{ http, spending, tokens, secrets, now, allowances, metrics },
  });
  const queues = openQueues(config, {
    ...{ store, jobs, notices, http, clients, metrics, now, random, log },
    ruleCosts: options.ruleCosts,
    discord: talking.promise,
  });
  let discord: Discord | undefined;
  let pages: Web | undefined;
  const retention = createRetention({ jobs, store, log });
  const closeAll = async () => {
    // First, so that nothing is begun any more that needs the others.
    await jobs.close();
    await pages?.close();
    await queues.close();
    await linking.close();
    await Promise.allSettled([images.close(), http.close(), spending.close()]);
    await store.close();
    await database.close();
  };
  const health = await openHealth({
    ...{ config, metrics, store, images, jobs, log },
    cutouts: allowances.load,
    comments: queues.moderation.load,
    discord: () => discord,
  }).catch(async (error: unknown) => {
    await closeAll();
    throw error;
  });
  try {
    await options.onStore?.(store);
    pages = await openPages(config, {
      ...{ links: linking.links, languages, hub: queues.feeds.hub, log, now },
      listener: options.listener,
    });
    const connected = await connectDiscord({
      token,
      apiUrl,
      loadCatalogue: () => loadCommands(new URL("../commands/", import.meta.url)),
      services: {
        store,
        http,
        images,
        languages,
        clients,
        moderation: queues.moderation,
        feeds: queues.feeds,
        links: linking.links,
        proofs: linking.proofs,
        channelsOf: linking.channelsOf,
        pictureLimits: { maxBytes: config.background.maxBytes, maxPixels: 50_000_000 },
        log,
        now,
        random,
        attachmentHosts: attachmentHosts(apiUrl),
        observer: metrics.interaction,
      },
    });
    talking.resolve(connected);
    await retention.start();
    // Last: jobs need all of it.
    jobs.start();
    await Promise.all([http.warm(), warmVideoClient()]);
    discord = connected;
    return {
      applicationId: connected.applicationId,
      healthUrl: health.url,
      settled: connected.settled,
      ended: connected.ended,
      close: async () => {
        // From here on it is not ready for more; that it lives can be asked to the end.
        discord = undefined;
        await Promise.all([connected.close(drainMs), pages?.close()]);
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

interface StoreNeeds {
  readonly config: Pick<Config, "store">;
  readonly jobs: Jobs;
  readonly secrets: Secrets;
}

/** Closes the database where its keys don't fit. */
async function openStoreOver(
  database: Database,
  { config, jobs, secrets }: StoreNeeds,
): Promise<Store> {
  try {
    return await createStore({
      ...{ database, keys: config.store.keys },
      onSecret: (secret) => secrets.addPassing(secret),
      onRevocation: (revocation) => jobs.put(revocationJob(revocation)),
    });
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Derived, so that it is of no use for anything else. */
function secretOf({ store }: Config): Uint8Array {
  const [current] = store.keys;
  return createHmac("sha256", current?.key ?? "")
    .update("spending")
    .digest();
}

/** Discord's own hosts, or the host of the platform that stands in its place. */
function attachmentHosts(apiUrl: string): readonly string[] {
  const { host, hostname } = new URL(apiUrl);
  return hostname === "discord.com" ? discordAttachmentHosts : [host];
}
