import type { Server } from "node:net";
import {
  type Allowance,
  type BackgroundClient,
  type Credits,
  createAllowance,
  createBackgroundClient,
  createCredits,
  priceOf,
} from "./background/index.ts";
import { openHealth, servicesOf, versionOf } from "./bot/health.ts";
import { openLinking } from "./bot/linking.ts";
import { openPages } from "./bot/pages.ts";
import { type Retention, startRetention } from "./bot/retention.ts";
import { termsOf } from "./bot/terms.ts";
import type { Config } from "./config.ts";
import {
  connectDiscord,
  type Discord,
  discordAttachmentHosts,
  loadCommands,
  type Services,
} from "./discord/index.ts";
import { createHttp, type Http } from "./http/index.ts";
import { createImages } from "./images/index.ts";
import { createLanguages } from "./language/index.ts";
import type { Log, Secrets } from "./log.ts";
import { clientMissing, type Tokens } from "./oauth/index.ts";
import { openStore, type Store } from "./store/index.ts";
import {
  createUnits,
  createVideoClient,
  type Meter,
  projectOfClient,
  projectOfKey,
  type Units,
  warmVideoClient,
} from "./video/index.ts";
import { createMetrics, type Load, type Metrics, type Web, watchedHttp } from "./web/index.ts";

export interface StartBotOptions {
  readonly log: Log;
  readonly secrets: Secrets;
  readonly now?: () => number;
  readonly random?: () => number;
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
  /** Drains for up to 8 s, so that all is over within the 10 s a supervisor waits. */
  close(): Promise<void>;
}

const drainMs = 6000;

/**
 * The composition root: config -> services -> commands -> client. Resolves when the bot answers interactions.
 * @throws ConfigError for a store, key or token that can't be used.
 */
export async function startBot(config: Config, options: StartBotOptions): Promise<Bot> {
  const { log, secrets, now = Date.now, random = Math.random } = options;
  const { token, apiUrl } = config.discord;
  if (token === undefined)
    throw new TypeError("the bot needs a token; without one the sandbox starts it");
  secrets.add(token);
  for (const { key } of config.store.keys) secrets.add(Buffer.from(key).toString("base64"));
  const store = await openStore({
    ...config.store,
    onSecret: (secret) => secrets.add(secret),
    onWarning: (what) => log.warn(what),
    now,
  });
  const metrics = createMetrics({ version: versionOf() });
  const http = watchedHttp(createHttp({ now, random }), {
    services: servicesOf(config),
    observe: metrics.request,
  });
  const images = createImages({ log });
  const units = createUnits({
    records: store.units,
    now,
    onFailure: (error) => log.warn("units are counted in memory only", { error }),
  });
  const credits = createCredits({
    records: store.credits,
    now,
    onFailure: (error) => log.warn("a picture's credits could not be counted", { error }),
  });
  const talking = Promise.withResolvers<Discord>();
  const linking = openLinking(config, {
    ...{ store, http, units, secrets, log, now },
    onRefresh: metrics.refresh,
    tell: async (happening) => (await talking.promise).tell(happening),
  });
  const { tokens } = linking;
  const allowances = createAllowances(now);
  const languages = createLanguages();
  let discord: Discord | undefined;
  let pages: Web | undefined;
  let retention: Retention | undefined;
  const closeAll = async () => {
    await pages?.close();
    await retention?.close();
    await linking.close();
    await Promise.allSettled([images.close(), http.close(), units.close()]);
    await store.close();
  };
  const health = await openHealth({
    ...{ config, metrics, store, images, log },
    cutouts: allowances.load,
    discord: () => discord,
  }).catch(async (error: unknown) => {
    await closeAll();
    throw error;
  });
  try {
    await options.onStore?.(store);
    pages = await openPages(config, {
      ...{ links: linking.links, languages, log, now },
      listener: options.listener,
    });
    const connected = await connectDiscord({
      token,
      apiUrl,
      loadCatalogue: () => loadCommands(new URL("../commands/", import.meta.url)),
      services: {
        store: forgetful(store, { units, credits, onRevocation: linking.revoker.wake }),
        http,
        images,
        languages,
        clients: clientsOf(config, {
          ...{ http, units, credits, tokens, secrets, now, allowances, metrics },
        }),
        credits,
        links: linking.links,
        proofs: linking.proofs,
        channelsOf: linking.channelsOf,
        onRevocation: linking.revoker.wake,
        pictureLimits: { maxBytes: config.background.maxBytes, maxPixels: 50_000_000 },
        log,
        now,
        random,
        attachmentHosts: attachmentHosts(apiUrl),
        observer: metrics.interaction,
      },
    });
    talking.resolve(connected);
    linking.revoker.start();
    retention = startRetention({ store, log, now });
    await Promise.all([http.warm(), warmVideoClient()]);
    discord = connected;
    return {
      applicationId: connected.applicationId,
      healthUrl: health.url,
      settled: connected.settled,
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

interface Forgetting {
  readonly units: Units;
  readonly credits: Credits;
  readonly onRevocation: () => void;
}

/** What a guild spent is partly still in memory or under way, and must not be written after the guild is erased. */
function forgetful(store: Store, { units, credits, onRevocation }: Forgetting): Store {
  return {
    ...store,
    guilds: {
      ...store.guilds,
      erase: async (guildId) => {
        credits.forget(guildId);
        await units.forget(guildId);
        await store.guilds.erase(guildId);
        onRevocation();
      },
    },
  };
}

type Clients = Services["clients"];
type VideoAccess = Parameters<Clients["video"]>[0];
type Payer = Parameters<Clients["left"]>[1];
type OnSpent = NonNullable<Parameters<Clients["video"]>[2]>;

interface ClientParts {
  readonly http: Http;
  readonly units: Units;
  readonly credits: Credits;
  readonly tokens: Tokens | undefined;
  readonly secrets: Secrets;
  readonly now: () => number;
  readonly allowances: Allowances;
  readonly metrics: Metrics;
}

interface Allowances {
  of(key: string): Allowance;
  /** Of all keys together. */
  load(): Load;
}

function createAllowances(now: () => number): Allowances {
  const byKey = new Map<string, Allowance>();
  return {
    of(key) {
      const allowance = byKey.get(key) ?? createAllowance({ now });
      byKey.set(key, allowance);
      return allowance;
    },
    load() {
      const loads = [...byKey.values()].map(({ pacer }) => pacer.load());
      const sum = (which: keyof Load) => loads.reduce((total, load) => total + load[which], 0);
      return { waiting: sum("waiting"), running: sum("running") };
    },
  };
}

/** Clients by credential. A key is known to the log's filter before it is used for anything. */
function clientsOf(config: Config, parts: ClientParts): Clients {
  const { http, units, credits, tokens, secrets, now, allowances, metrics } = parts;
  /** Keys have projects of their own; all linked channels share the one that this bot is registered in. */
  const opened = (access: VideoAccess) => {
    if ("key" in access) {
      secrets.add(access.key);
      return { credential: { key: access.key }, project: projectOfKey(access.key) };
    }
    const { client } = config.oauth;
    if (client === undefined || tokens === undefined) throw clientMissing();
    const token = tokens.of(access.channelOf, access.channelId);
    return { credential: { token }, project: projectOfClient(client.clientId) };
  };
  const accountOf = (access: VideoAccess, payer: Payer) =>
    units.meter(opened(access).project, payer, termsOf(access, payer, config));
  return {
    video: (access, payer, onSpent) => {
      const { credential } = opened(access);
      const meter = accountOf(access, payer);
      const told = telling(meter, ({ method, bucket, cost }) => {
        metrics.call({ method, bucket, spent: cost });
        onSpent?.({ bucket, cost });
      });
      return createVideoClient({ ...config.video, ...credential, http, now, units: told });
    },
    left: async (access, payer) => accountOf(access, payer).left(),
    afford: async (access, payer, { charges, personal }) =>
      accountOf(access, payer).afford(charges, personal),
    spent: (guildId, days) => units.history(guildId, days),
    projectOf: (access) => {
      if ("key" in access) return projectOfKey(access.key);
      const { client } = config.oauth;
      return client && projectOfClient(client.clientId);
    },
    background: (key, payer) => {
      secrets.add(key);
      const { baseUrl, maxBytes } = config.background;
      const client = createBackgroundClient({
        ...{ baseUrl, maxBytes, http, now },
        apiKey: key,
        allowance: allowances.of(key),
        tenant: payer.guildId,
      });
      const count = credits.counter(payer);
      return counting(client, {
        hold: (price) => credits.hold(payer, price, payer.purse?.budgets?.credits),
        count: async (charged) => {
          metrics.cutout(charged);
          await count(charged);
        },
      });
    },
  };
}

interface Purse {
  hold(price: number): Promise<() => void>;
  count(charged: number): Promise<void>;
}

/** Counts each cut-out once it is here; what it may cost is set aside before it is sent. */
function counting(client: BackgroundClient, purse: Purse): BackgroundClient {
  return {
    ...client,
    removeBackground: async (request, how) => {
      const release = await purse.hold(priceOf(request.size, request.megapixels));
      try {
        const removal = await client.removeBackground(request, how);
        await purse.count(removal.creditsCharged ?? 0);
        return removal;
      } finally {
        release();
      }
    },
  };
}

/** Tells what a call cost once it has reached the service; of a repeated one, as it is counted. */
function telling(
  meter: Meter,
  onSpent: (spent: Parameters<OnSpent>[0] & { readonly method: string }) => void,
): Meter {
  return {
    book: async (charge) => {
      const { method, bucket, cost } = charge;
      const booking = await meter.book(charge);
      return {
        settle: async (spending) => {
          await booking.settle(spending);
          const { attempts, exhausted } = spending;
          const counted = bucket === "units" ? attempts : Math.min(attempts, 1);
          // An empty bucket's refusal takes nothing from it.
          if (counted > 0 && !exhausted) onSpent({ method, bucket, cost: cost * counted });
        },
      };
    },
  };
}

/** Discord's own hosts, or the host of the platform that stands in its place. */
function attachmentHosts(apiUrl: string): readonly string[] {
  const { host, hostname } = new URL(apiUrl);
  return hostname === "discord.com" ? discordAttachmentHosts : [host];
}
