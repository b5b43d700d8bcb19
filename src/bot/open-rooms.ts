import { createHmac } from "node:crypto";
import type { StartBotOptions } from "../bot.ts";
import { createSpending } from "../budget/index.ts";
import { clockOf } from "../clock.ts";
import type { Config } from "../config.ts";
import { type Database, openDatabase } from "../database/index.ts";
import type { Discord } from "../discord/index.ts";
import { createHttp } from "../http/index.ts";
import { createImages } from "../images/index.ts";
import { createJobs, type Jobs } from "../jobs/index.ts";
import type { Secrets } from "../log.ts";
import { revocationJob } from "../oauth/index.ts";
import { createStore, type Store } from "../store/index.ts";
import { createMetrics, watchedHttp } from "../web/index.ts";
import { clientsOf, createAllowances } from "./clients.ts";
import { servicesOf, versionOf } from "./health.ts";
import { openLinking } from "./linking.ts";
import { createNotices } from "./notices.ts";
import { openQueues } from "./queues.ts";
import { createRetention } from "./retention.ts";

export type Rooms = Awaited<ReturnType<typeof openRooms>>;

type RoomsOptions = Pick<StartBotOptions, "log" | "secrets" | "now" | "random" | "ruleCosts">;

/** All that the bot works with but for Discord, which is connected once this is there. */
export async function openRooms(config: Config, options: RoomsOptions, discord: Promise<Discord>) {
  const { log, secrets, now = Date.now, random = Math.random } = options;
  const clock = clockOf(now);
  const database = await openDatabase({
    ...{ url: config.store.url, now: options.now },
    onWarning: (what) => log.warn(what),
  });
  const jobs = createJobs({ database, random, clock, log: log.child({ room: "jobs" }) });
  const store = await openStoreOver(database, { config, jobs, secrets });
  const metrics = createMetrics({ version: versionOf() });
  const http = watchedHttp(createHttp({ now, random }), {
    services: servicesOf(config),
    observe: metrics.request,
  });
  const images = createImages({ log });
  const spending = createSpending({
    ...{ database, clock, secret: secretOf(config) },
    onFailure: (error) => log.warn("spending is counted in memory only", { error }),
  });
  const notices = createNotices({ jobs, discord });
  const linking = openLinking(config, {
    ...{ store, jobs, http, spending, secrets, log, now, notices },
    onRefresh: metrics.refresh,
    onPending: async (facts) => {
      await (await discord).tell({ name: "link-pending", facts });
    },
  });
  const allowances = createAllowances(now);
  const clients = clientsOf(config, {
    ...{ http, spending, tokens: linking.tokens, secrets, now, allowances, metrics },
  });
  const queues = openQueues(config, {
    ...{ store, jobs, notices, http, clients, metrics, now, random, log },
    ...{ ruleCosts: options.ruleCosts, discord },
  });
  const retention = createRetention({ jobs, store, log });
  return {
    ...{ jobs, store, metrics, http, images, linking, allowances, clients, queues, retention },
    /** After the jobs were closed. */
    close: async () => {
      await queues.close();
      await linking.close();
      await Promise.allSettled([images.close(), http.close(), spending.close()]);
      await store.close();
      await database.close();
    },
  };
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
