import type { Server } from "node:net";
import { type Credits, createCredits } from "./background/index.ts";
import { clientsOf, createAllowances } from "./bot/clients.ts";
import { openHealth, servicesOf, versionOf } from "./bot/health.ts";
import { type Linking, openLinking } from "./bot/linking.ts";
import { openPages } from "./bot/pages.ts";
import { openQueues, type Queues } from "./bot/queues.ts";
import { type Retention, startRetention } from "./bot/retention.ts";
import type { Config } from "./config.ts";
import {
  connectDiscord,
  type Discord,
  discordAttachmentHosts,
  loadCommands,
} from "./discord/index.ts";
import type { BotError } from "./errors.ts";
import { createHttp } from "./http/index.ts";
import { createImages } from "./images/index.ts";
import { createLanguages } from "./language/index.ts";
import type { Log, Secrets } from "./log.ts";
import type { CostKind } from "./moderation/index.ts";
import { openStore, passwordsOf, type Store } from "./store/index.ts";
import { createUnits, type Units, warmVideoClient } from "./video/index.ts";
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
  const store = await openStore({
    ...config.store,
    onSecret: (secret) => secrets.addPassing(secret),
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
  const clients = clientsOf(config, {
    ...{ http, units, credits, tokens, secrets, now, allowances, metrics },
  });
  const queues = openQueues(config, {
    ...{ store, http, clients, metrics, now, random, log },
    ruleCosts: options.ruleCosts,
    discord: talking.promise,
  });
  let discord: Discord | undefined;
  let pages: Web | undefined;
  let retention: Retention | undefined;
  const closeAll = async () => {
    await pages?.close();
    await queues.close();
    await retention?.close();
    await linking.close();
    await Promise.allSettled([images.close(), http.close(), units.close()]);
    await store.close();
  };
  const health = await openHealth({
    ...{ config, metrics, store, images, log },
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
        store: forgetful(store, {
          units,
          credits,
          queues,
          tokens,
          onRevocation: linking.revoker.wake,
        }),
        http,
        images,
        languages,
        clients,
        moderation: queues.moderation,
        feeds: queues.feeds,
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
    queues.start();
    retention = startRetention({ store, log, now });
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

interface Forgetting {
  readonly queues: Pick<Queues, "forget">;
  readonly units: Units;
  readonly credits: Credits;
  readonly onRevocation: () => void;
  readonly tokens: Linking["tokens"];
}

/** What a guild spent is partly still in memory or under way, and must not be written after the guild is erased. */
function forgetful(
  store: Store,
  { units, credits, queues, tokens, onRevocation }: Forgetting,
): Store {
  return {
    ...store,
    guilds: {
      ...store.guilds,
      erase: async (guildId) => {
        credits.forget(guildId);
        await queues.forget(guildId);
        await units.forget(guildId);
        await store.guilds.erase(guildId);
        tokens?.forget(guildId);
        onRevocation();
      },
    },
  };
}

/** Discord's own hosts, or the host of the platform that stands in its place. */
function attachmentHosts(apiUrl: string): readonly string[] {
  const { host, hostname } = new URL(apiUrl);
  return hostname === "discord.com" ? discordAttachmentHosts : [host];
}
