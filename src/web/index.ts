/** Liveness, readiness and metrics for whoever runs the bot, on this machine only. */
export { type Health, type HealthOptions, startHealth } from "./health/start-health.ts";
export { createMetrics } from "./metrics/create-metrics.ts";
export { createStoreProbe } from "./metrics/store-probe.ts";
export type {
  Load,
  Metrics,
  ObservedCall,
  ObservedInteraction,
  ObservedRequest,
  Probed,
  Readings,
} from "./metrics/types.ts";
/** The way out to services, with each request counted. */
export { watchedHttp } from "./metrics/watched-http.ts";
