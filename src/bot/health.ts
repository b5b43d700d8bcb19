import type { Discord } from "../discord/index.ts";
import { createStoreProbe, type Health, startHealth } from "../web/index.ts";
import type { Rooms } from "./rooms.ts";
import type { RoomsDeps } from "./rooms-deps.ts";

/** The usual port of Prometheus exporters; other programs use it too. */
const defaultPort = 9464;

/**
 * `discord` is undefined until the bot is connected, and while it closes.
 * @throws ConfigError `port_taken`, `port_forbidden` or `host_unknown`
 */
export async function serveHealth(
  { config, jobs, store, log }: RoomsDeps,
  { metrics, images, allowances, moderation }: Rooms,
  discord: () => Discord | undefined,
): Promise<Health> {
  const state = () => discord()?.state();
  const probe = createStoreProbe(store);
  const isOverHttp = config.discord.publicKey !== undefined;
  metrics.watch({
    hasGateway: !isOverHttp,
    discord: state,
    loads: {
      interactions: () => ({ waiting: 0, running: state()?.underWay ?? 0 }),
      cutouts: allowances.load,
      comments: moderation.load,
      pictures: images.load,
    },
    store: probe,
    storeWaitingMs: store.database.waitingMs,
    jobs: jobs.counts,
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
