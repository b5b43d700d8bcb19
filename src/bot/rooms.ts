import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { createFeeds } from "../announcements/index.ts";
import { createSpending } from "../budget/index.ts";
import type { PublishableMessages } from "../channel-messages.ts";
import { createTimerClock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Discord } from "../discord/index.ts";
import type { FeatureServices } from "../features/index.ts";
import { createHttp } from "../http/index.ts";
import { createImages } from "../images/index.ts";
import { createModeration, openRuleEngine } from "../moderation/index.ts";
import { readServerSettings } from "../store/index.ts";
import { createMetrics, createWatchedHttp } from "../web/index.ts";
import { createAllowances, createClients, describeOperatorsEngine } from "./clients.ts";
import { createCreditNotices } from "./credit-notices.ts";
import { createLinking } from "./linking.ts";
import { createNotifier } from "./notifier.ts";
import { createOutageWarning } from "./outage-warning.ts";
import { createRateWindows } from "./rate-windows.ts";
import { createRetention } from "./retention.ts";
import type { RoomsDeps } from "./rooms-deps.ts";
import { createUnaskedWork } from "./unasked-work.ts";

export type Rooms = ReturnType<typeof createRooms>;

/** Largest picture, in pixels, that anything is done with. */
const maxPixels = 50_000_000;

/**
 * Makes the rooms that the bot works with and connects them, all but Discord. Whoever needs something new of another room
 * gets it here. The order is that of the arrows between rooms.
 */
export function createRooms(deps: RoomsDeps) {
  const { config, jobs, store, discord, log, now, random } = deps;
  const { database } = store;
  const clock = createTimerClock(now);

  // What carries the rest.
  const metrics = createMetrics({ version: readVersion() });
  const http = createWatchedHttp(createHttp({ now, random, publicStandIn: deps.publicStandIn }), {
    services: serviceNames(config),
    observe: metrics.request,
  });
  const images = createImages({ log });
  const spending = createSpending({
    database,
    clock,
    secret: spendingSecret(config),
    onFailure: createOutageWarning("spending is counted in memory only", { log, now }),
  });
  const notify = createNotifier(jobs, discord);

  // The services: linked channels, YouTube and remove.bg.
  const linking = createLinking(deps, { http, spending, metrics, notify });
  const allowances = createAllowances({
    now: database.now,
    windowOf: createRateWindows({
      database,
      onFailure: createOutageWarning("megapixels are counted in memory only", { log, now }),
    }),
  });
  const clients = createClients(deps, {
    http,
    images,
    spending,
    metrics,
    allowances,
    tokens: linking.tokens,
    onCredits: (guildId) => void creditNotices.spent(guildId),
  });
  const creditNotices = createCreditNotices({ jobs, store, notify, clients, log });

  // What works unasked, by jobs.
  const engine = openRuleEngine({ now, ...(deps.ruleCosts && { costs: deps.ruleCosts }) });
  const unasked = createUnaskedWork(deps, clients);
  const shared = { database, jobs, notify, clock, random, channelMessages: whenConnected(discord) };
  const moderation = createModeration({
    ...shared,
    ...unasked.moderation,
    engine,
    settings: (guildId) => readServerSettings(store, guildId),
    channelName: unasked.channelName,
    fetchPublic: http.fetchPublic,
    log: log.child({ room: "moderation" }),
    onPoll: metrics.poll,
    onRecord: metrics.decision,
  });
  const feeds = createFeeds({
    ...shared,
    ...unasked.announcements,
    scheduledEvents: {
      create: async (...args) => (await discord).scheduledEvents.create(...args),
      change: async (...args) => (await discord).scheduledEvents.change(...args),
      find: async (...args) => (await discord).scheduledEvents.find(...args),
    },
    oneTimeTokens: store.oneTimeTokens,
    http,
    hub: { url: config.hubUrl, callbackUrl: config.publicUrl && `${config.publicUrl}/hub` },
    log: log.child({ room: "announcements" }),
  });
  const retention = createRetention({ jobs, store, discord, log });

  // What people ask for.
  const features: FeatureServices = {
    store,
    images,
    clients,
    operatorsEngine: describeOperatorsEngine(config),
    moderation,
    feeds,
    links: linking.links,
    verifier: linking.verifier,
    channelsOf: linking.channelsOf,
    pictureLimits: { maxBytes: config.background.maxBytes, maxPixels },
    now,
    log,
  };
  return {
    metrics,
    http,
    images,
    allowances,
    moderation,
    feeds,
    retention,
    links: linking.links,
    features,
    /** Greets a server that has just added the bot; once, however often Discord says so. @throws ServiceError */
    welcome: (guildId: string) =>
      database.transaction(async () => {
        let isNew = false;
        await store.settings.update(guildId, (stored) => {
          isNew = stored.isWelcomed !== true;
          return { ...stored, isWelcomed: true };
        });
        if (isNew) await notify({ name: "bot-added", facts: { guildId } });
      }),
    /** Closes everything, the store too; only after the jobs are closed. */
    close: async () => {
      await engine.close();
      await linking.tokens?.close();
      await Promise.allSettled([images.close(), http.close(), spending.close()]);
      await store.close();
    },
  };
}

/** The names of the services in metrics, by address; uploads first, because their address may begin like another. */
function serviceNames({ video, background, oauth, discord }: Config) {
  return [
    [video.uploadBaseUrl, "video"],
    [video.baseUrl, "video"],
    [background.baseUrl, "images"],
    ...(background.rembgUrl === undefined ? [] : ([[background.rembgUrl, "images"]] as const)),
    [oauth.tokenUrl, "authorisation"],
    [oauth.revokeUrl, "authorisation"],
    [discord.apiUrl, "discord"],
  ] as const;
}

function readVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

/** Derived from the key, so that it is of no use for anything else. */
function spendingSecret({ store }: Config): Uint8Array {
  const [current] = store.keys;
  return createHmac("sha256", current?.key ?? "")
    .update("spending")
    .digest();
}

function whenConnected(discord: Promise<Discord>): PublishableMessages {
  return {
    post: async (...args) => (await discord).channelMessages.post(...args),
    edit: async (...args) => (await discord).channelMessages.edit(...args),
    close: async (...args) => (await discord).channelMessages.close(...args),
    remove: async (...args) => (await discord).channelMessages.remove(...args),
    publish: async (...args) => (await discord).channelMessages.publish(...args),
    openThread: async (...args) => (await discord).channelMessages.openThread(...args),
    find: async (...args) => (await discord).channelMessages.find(...args),
  };
}
