import { createHmac } from "node:crypto";
import { unsubscribeJobs } from "../announcements/index.ts";
import type { StartBotOptions } from "../bot.ts";
import { createSpending } from "../budget/index.ts";
import { type Clock, createTimerClock } from "../clock.ts";
import type { Config } from "../config.ts";
import { type Database, openDatabase, waitForDatabase } from "../database/index.ts";
import type { Discord } from "../discord/index.ts";
import type { BotError } from "../errors.ts";
import type { ServiceClients } from "../features/index.ts";
import { createHttp } from "../http/index.ts";
import { createImages } from "../images/index.ts";
import { createJobs, type Jobs } from "../jobs/index.ts";
import type { Secrets } from "../log.ts";
import { revocationJob } from "../oauth/index.ts";
import { createStore, type Store } from "../store/index.ts";
import { createMetrics, createWatchedHttp } from "../web/index.ts";
import { createAllowances, createClients } from "./clients.ts";
import { createCreditNotices } from "./credit-notices.ts";
import { servicesOf, versionOf } from "./health.ts";
import { createNotificationJobs } from "./notification-jobs.ts";
import { openLinkServices } from "./open-links.ts";
import { createOutageWarning } from "./outage-warning.ts";
import { openQueues } from "./queues.ts";
import { createRateWindows } from "./rate-windows.ts";
import { createRetention } from "./retention.ts";

export type Rooms = Awaited<ReturnType<typeof openRooms>>;

type RoomsOptions = Pick<StartBotOptions, "log" | "secrets" | "now" | "random" | "ruleCosts">;

/** Opens everything that the bot works with, except Discord, which is connected afterwards. */
export async function openRooms(config: Config, options: RoomsOptions, discord: Promise<Discord>) {
  const { log, secrets, now = Date.now, random = Math.random } = options;
  const clock = createTimerClock(now);
  const { database, jobs, store } = await openStorage(config, { ...options, random, clock });
  const metrics = createMetrics({ version: versionOf() });
  const http = createWatchedHttp(createHttp({ now, random }), {
    services: servicesOf(config),
    observe: metrics.request,
  });
  const images = createImages({ log });
  const spending = createSpending({
    database,
    clock,
    secret: secretOf(config),
    onFailure: createOutageWarning("spending is counted in memory only", { log, now }),
  });
  const { notify } = createNotificationJobs({ jobs, discord });
  const linking = openLinkServices(config, {
    store,
    jobs,
    http,
    spending,
    secrets,
    log,
    now,
    notify,
    onRefresh: metrics.refresh,
    onPending: async (facts) => {
      await (await discord).notify({ name: "link-pending", facts });
    },
  });
  const windowOf = createRateWindows({
    database,
    onFailure: createOutageWarning("megapixels are counted in memory only", { log, now }),
  });
  const allowances = createAllowances({ now: database.now, windowOf });
  const creditNotices = createCreditNotices({
    jobs,
    store,
    notify,
    log,
    clients: () => clients,
  });
  const clients: ServiceClients = createClients(config, {
    http,
    spending,
    tokens: linking.tokens,
    secrets,
    now,
    allowances,
    metrics,
    onCredits: (guildId) => void creditNotices.spent(guildId),
    credentials: store.credentials,
  });
  const queues = openQueues(config, {
    store,
    jobs,
    notify,
    http,
    clients,
    metrics,
    now,
    random,
    log,
    ruleCosts: options.ruleCosts,
    discord,
  });
  const retention = createRetention({ jobs, store, discord, log });
  return {
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
    jobs,
    store,
    metrics,
    http,
    images,
    linking,
    allowances,
    clients,
    queues,
    retention,
    /** Only after the jobs are closed. */
    close: async () => {
      await queues.close();
      await linking.close();
      await Promise.allSettled([images.close(), http.close(), spending.close()]);
      await store.close();
      await database.close();
    },
  };
}

/** What is kept in the database. While a PostgreSQL server is away, this waits for it. */
async function openStorage(config: Config, { log, secrets, now, random, clock }: StorageOptions) {
  const { url } = config.store;
  let isWaiting = false;
  const onWait = (error: BotError) => {
    isWaiting = true;
    log.warn("waiting for the database", { error });
  };
  const storage = await waitForDatabase({ url, onWait }, async () => {
    const onWarning = (what: string) => log.warn(what);
    const database = await openDatabase({ url, now, onWarning, isAlone: true });
    const jobs = createJobs({
      database,
      random,
      clock,
      log: log.child({ room: "jobs" }),
      isAlone: database.dialect === "sqlite",
    });
    return { database, jobs, store: await openStoreOver(database, { config, jobs, secrets }) };
  });
  if (isWaiting) log.info("the database is there");
  return storage;
}

interface StorageOptions extends Pick<StartBotOptions, "log" | "secrets" | "now"> {
  readonly random: () => number;
  readonly clock: Clock;
}

interface OpenStoreDeps {
  readonly config: Pick<Config, "store">;
  readonly jobs: Jobs;
  readonly secrets: Secrets;
}

/** Closes the database if its keys don't fit. */
async function openStoreOver(
  database: Database,
  { config, jobs, secrets }: OpenStoreDeps,
): Promise<Store> {
  try {
    return await createStore({
      database,
      keys: config.store.keys,
      onSecret: (secret) => secrets.addPassing(secret),
      onRevocation: (revocation) => jobs.put(revocationJob(revocation)),
      onPushesErased: async (pushes) => {
        for (const job of unsubscribeJobs(pushes, database.now())) await jobs.put(job);
      },
    });
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Derived from the key, so that it is of no use for anything else. */
function secretOf({ store }: Config): Uint8Array {
  const [current] = store.keys;
  return createHmac("sha256", current?.key ?? "")
    .update("spending")
    .digest();
}
