import { readFileSync } from "node:fs";
import type { Config } from "../config.ts";
import type { Discord } from "../discord/index.ts";
import type { Images } from "../images/index.ts";
import type { Jobs } from "../jobs/index.ts";
import type { Log } from "../log.ts";
import type { Store } from "../store/index.ts";
import {
  createStoreProbe,
  type Health,
  type Load,
  type Metrics,
  startHealth,
} from "../web/index.ts";

interface HealthDeps {
  readonly config: Pick<Config, "discord" | "healthHost" | "healthPort">;
  readonly metrics: Metrics;
  readonly store: Pick<Store, "ping" | "database">;
  readonly images: Pick<Images, "load">;
  /** Calls to the image service, with all keys. */
  readonly cutouts: () => Load;
  /** Comments that wait for people, and decisions that wait to be sent. */
  readonly comments: () => Promise<Load>;
  readonly jobs: Pick<Jobs, "counts">;
  /** Undefined until the bot is connected, and while it closes. */
  readonly discord: () => Discord | undefined;
  readonly log: Log;
}

/** The usual port of Prometheus exporters; other programs use it too. */
const defaultPort = 9464;

/** @throws ConfigError `port_taken`, `port_forbidden` or `host_unknown` */
export async function openHealth(deps: HealthDeps): Promise<Health> {
  const { config, metrics, store, images, jobs, cutouts, comments, log } = deps;
  const state = () => deps.discord()?.state();
  const probe = createStoreProbe(store);
  const isOverHttp = config.discord.publicKey !== undefined;
  metrics.watch({
    hasGateway: !isOverHttp,
    discord: state,
    loads: {
      interactions: () => ({ waiting: 0, running: state()?.underWay ?? 0 }),
      cutouts,
      comments,
      pictures: images.load,
    },
    store: probe,
    storeWaitingMs: store.database.waitingMs,
    jobs: () => jobs.counts(),
  });
  const ready = {
    [isOverHttp ? "interactions" : "gateway"]: () => state()?.isConnected === true,
    store: async () => (await probe()).isUp,
  };
  const { healthHost: host, healthPort: port = defaultPort } = config;
  const health = await startHealth({ metrics, host, port, ready, log });
  log.info("health and metrics are served", { host, port: Number(new URL(health.url).port) });
  return {
    url: health.url,
    close: async () => {
      metrics.close();
      await health.close();
    },
  };
}

/** The services' names by address; uploads first, because their address may begin like another. */
export function servicesOf({ video, background, oauth, discord }: Config) {
  return [
    [video.uploadBaseUrl, "video"],
    [video.baseUrl, "video"],
    [background.baseUrl, "images"],
    [oauth.tokenUrl, "authorisation"],
    [oauth.revokeUrl, "authorisation"],
    [discord.apiUrl, "discord"],
  ] as const;
}

export function versionOf(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
