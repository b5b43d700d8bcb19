/** Health and metrics for whoever runs the bot, on this machine only; the link's pages for people's browsers. */
export { type Health, type HealthOptions, startHealth } from "./health/start-health.ts";
/** What answers the hub that tells of new videos. */
export type { HubDoor } from "./hub.ts";
/** The pages that people's browsers see while they link a channel. Throws ConfigError `port_taken` or `port_forbidden`. */
export { startWeb } from "./load-web.ts";
export { createMetrics } from "./metrics/create-metrics.ts";
export { createStoreProbe } from "./metrics/store-probe.ts";
export type {
  Load,
  Metrics,
  ObservedCall,
  ObservedDecision,
  ObservedInteraction,
  ObservedRequest,
  Probed,
  QueueSize,
  Readings,
} from "./metrics/types.ts";
/** The way out to services, with each request counted. */
export { watchedHttp } from "./metrics/watched-http.ts";
/** What pages say: the language room's messages, handed in. */
export type { Speech, Speeches } from "./speech.ts";
export type { Web, WebOptions } from "./start-web.ts";
