import { createBackgroundClient, createPacer, type Pacer } from "./background/index.ts";
import type { Config } from "./config.ts";
import { connectDiscord, discordAttachmentHosts, loadCommands } from "./discord/index.ts";
import { createHttp, type Http } from "./http/index.ts";
import { createImages } from "./images/index.ts";
import type { Log, Secrets } from "./log.ts";
import { openStore, type Store } from "./store/index.ts";
import {
  createUnits,
  createVideoClient,
  projectOfKey,
  type Spender,
  type Units,
  warmVideoClient,
} from "./video/index.ts";

export interface StartBotOptions {
  readonly log: Log;
  readonly secrets: Secrets;
  readonly now?: () => number;
  readonly random?: () => number;
  /** Done with the store before the first interaction. */
  readonly onStore?: (store: Store) => Promise<void>;
}

export interface Bot {
  readonly applicationId: string;
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
    now,
  });
  const http = createHttp({ now, random });
  const images = createImages({ log });
  const units = createUnits({
    records: store.units,
    now,
    onFailure: (error) => log.warn("units are counted in memory only", { error }),
  });
  const closeAll = async () => {
    await Promise.allSettled([images.close(), http.close(), units.close()]);
    await store.close();
  };
  try {
    await options.onStore?.(store);
    const discord = await connectDiscord({
      token,
      apiUrl,
      catalogue: await loadCommands(new URL("../commands/", import.meta.url)),
      services: {
        store: forgetful(store, units),
        http,
        images,
        clients: clientsOf(config, { http, units, secrets, now }),
        log,
        now,
        random,
        attachmentHosts: attachmentHosts(apiUrl),
      },
    });
    await Promise.all([http.warm(), warmVideoClient()]);
    return {
      applicationId: discord.applicationId,
      settled: discord.settled,
      close: async () => {
        await discord.close(drainMs);
        await closeAll();
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** What a guild spent is partly still in memory, and must not be written after the guild is erased. */
function forgetful(store: Store, units: Units): Store {
  return {
    ...store,
    guilds: {
      ...store.guilds,
      erase: async (guildId) => {
        await units.forget(guildId);
        await store.guilds.erase(guildId);
      },
    },
  };
}

interface ClientParts {
  readonly http: Http;
  readonly units: Units;
  readonly secrets: Secrets;
  readonly now: () => number;
}

/** Clients by credential. A key is known to the log's filter before it is used for anything. */
function clientsOf(config: Config, { http, units, secrets, now }: ClientParts) {
  const pacers = new Map<string, Pacer>();
  const pacerOf = (key: string): Pacer => {
    const pacer = pacers.get(key) ?? createPacer({ now });
    pacers.set(key, pacer);
    return pacer;
  };
  return {
    video: (key: string, spender: Spender) => {
      secrets.add(key);
      const meter = units.meter(projectOfKey(key), spender);
      return createVideoClient({ ...config.video, key, http, now, units: meter });
    },
    background: (key: string) => {
      secrets.add(key);
      const { baseUrl } = config.background;
      return createBackgroundClient({ baseUrl, apiKey: key, http, pacer: pacerOf(key), now });
    },
  };
}

/** Discord's own hosts, or the host of the platform that stands in its place. */
function attachmentHosts(apiUrl: string): readonly string[] {
  const { host, hostname } = new URL(apiUrl);
  return hostname === "discord.com" ? discordAttachmentHosts : [host];
}
