import type { Web, WebOptions } from "./start-web.ts";

/** Health and metrics for whoever runs the bot, on this machine only; the link's pages for people's browsers. */
export { type Health, type HealthOptions, startHealth } from "./health/start-health.ts";
/** What answers the hub that tells of new videos. */
export type { HubDoor } from "./hub.ts";
export { createMetrics, type Metrics, type ObservedInteraction } from "./metrics/create-metrics.ts";
export type { Load, Readings } from "./metrics/live.ts";
export { createStoreProbe } from "./metrics/store-probe.ts";
/** The way out to services, with each request counted. */
export { type ObservedRequest, watchedHttp } from "./metrics/watched-http.ts";
/** What pages say: the language room's messages, handed in. */
export type { Speech, Speeches } from "./speech.ts";
export type { Web, WebOptions };

/**
 * Starts the pages that people's browsers see while they link a channel; their packages are loaded only then: a start without
 * them would notice. @throws ConfigError `port_taken` or `port_forbidden`.
 */
export async function startWeb(options: WebOptions): Promise<Web> {
  const web = await import("./start-web.ts");
  return web.startWeb(options);
}
