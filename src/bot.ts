import type { Server } from "node:net";
import { openHealth } from "./bot/health.ts";
import { openRooms, type Rooms } from "./bot/open-rooms.ts";
import { openPages } from "./bot/pages.ts";
import type { Config } from "./config.ts";
import {
  connectDiscord,
  type Discord,
  discordAttachmentHosts,
  loadCommands,
} from "./discord/index.ts";
import type { BotError } from "./errors.ts";
import { createLanguages, type Languages } from "./language/index.ts";
import type { Log, Secrets } from "./log.ts";
import type { CostKind } from "./moderation/index.ts";
import { passwordsOf, type Store } from "./store/index.ts";
import { warmVideoClient } from "./video/index.ts";
import type { Web } from "./web/index.ts";

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
  const { log, now = Date.now } = options;
  const token = requireToken(config);
  addSecrets(config, token, options.secrets);
  const talking = Promise.withResolvers<Discord>();
  const rooms = await openRooms(config, options, talking.promise);
  const { jobs, linking, queues, http } = rooms;
  let discord: Discord | undefined;
  let pages: Web | undefined;
  const closeAll = async () => {
    // First, so that nothing is begun any more that needs the others.
    await jobs.close();
    await pages?.close();
    await rooms.close();
  };
  const health = await openHealth({
    ...{ config, metrics: rooms.metrics, store: rooms.store, images: rooms.images, jobs, log },
    discord: () => discord,
    cutouts: rooms.allowances.load,
    comments: queues.moderation.load,
  }).catch(async (error: unknown) => {
    await closeAll();
    throw error;
  });
  try {
    await options.onStore?.(rooms.store);
    const languages = createLanguages();
    pages = await openPages(config, {
      ...{ links: linking.links, languages, hub: queues.feeds.hub, log, now },
      listener: options.listener,
    });
    const connected = await connectDiscord({
      ...{ token, apiUrl: config.discord.apiUrl },
      loadCatalogue: () => loadCommands(new URL("../commands/", import.meta.url)),
      services: servicesFor(config, options, { rooms, languages }),
    });
    talking.resolve(connected);
    await rooms.retention.start();
    // Last: jobs need all of it.
    jobs.start();
    await Promise.all([http.warm(), warmVideoClient()]);
    discord = connected;
    const { applicationId, settled, ended } = connected;
    return {
      ...{ applicationId, settled, ended, healthUrl: health.url },
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

function requireToken({ discord: { token } }: Config): string {
  if (token !== undefined) return token;
  throw new TypeError("the bot needs a token; without one the sandbox starts it");
}

/** What the operator set and the log must never show. */
function addSecrets({ store }: Config, token: string, secrets: Secrets): void {
  secrets.add(token);
  for (const { key } of store.keys) secrets.add(Buffer.from(key).toString("base64"));
  for (const password of passwordsOf(store.url)) secrets.add(password);
}

/** What handlers work with. */
function servicesFor(
  { background, discord }: Config,
  { log, now = Date.now, random = Math.random }: StartBotOptions,
  { rooms, languages }: { readonly rooms: Rooms; readonly languages: Languages },
) {
  const { store, http, images, clients, queues, linking, metrics } = rooms;
  return {
    ...{ store, http, images, languages, clients, log, now, random },
    moderation: queues.moderation,
    feeds: queues.feeds,
    links: linking.links,
    proofs: linking.proofs,
    channelsOf: linking.channelsOf,
    pictureLimits: { maxBytes: background.maxBytes, maxPixels: 50_000_000 },
    attachmentHosts: attachmentHosts(discord.apiUrl),
    observer: metrics.interaction,
  };
}

/** Discord's own hosts, or the host of the platform that stands in its place. */
function attachmentHosts(apiUrl: string): readonly string[] {
  const { host, hostname } = new URL(apiUrl);
  return hostname === "discord.com" ? discordAttachmentHosts : [host];
}
