import type { Web, WebOptions } from "./start-web.ts";

/** Takes what Discord posts where interactions come over HTTP. */
export type { DiscordEndpoint, DiscordRequestResult } from "./endpoint/discord-endpoint.ts";
/** The doctor's PING, which the endpoint of a bot with the same master keys answers. */
export {
  arrivedHeader,
  describeArrival,
  doctorKeyFrom,
  doctorPing,
  signatureHeaders,
} from "./endpoint/signature.ts";
/** Answers the hub that announces new videos. */
export type { HubCallback } from "./hub.ts";
export { createMetrics, type Metrics, type ObservedInteraction } from "./metrics/create-metrics.ts";
export type { Load, Readings } from "./metrics/live.ts";
export { createStoreProbe } from "./metrics/live.ts";
/** An HTTP client that counts each request to a service. */
export { createWatchedHttp, type ObservedRequest } from "./metrics/watched-http.ts";
/** The pages' texts: the language room's messages, which are passed in. */
export type { PageTranslator, PageTranslators } from "./page-translator.ts";
/** Health and metrics for whoever runs the bot; the link's pages for people's browsers. */
export { type Health, type HealthOptions, healthUrl, startHealth } from "./start-health.ts";
export type { Web, WebOptions };

/**
 * Starts the pages that people's browsers see while they link a channel. Their packages are loaded only then, because they
 * would slow down a start without pages. @throws ConfigError `port_taken` or `port_forbidden`.
 */
export async function startWeb(options: WebOptions): Promise<Web> {
  const web = await import("./start-web.ts");
  return web.startWebServer(options);
}
