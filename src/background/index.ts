/** What one API key may do, shared by its clients. */
export { type Allowance, createAllowance } from "./allowance.ts";
/** Credits that a call takes at most. */
export { priceOf } from "./balance.ts";
/** Builds a client for one API key. */
export {
  type BackgroundClientOptions,
  createBackgroundClient,
} from "./create-background-client.ts";
/** Keeps one API key within its megapixels a minute. */
export { createPacer, type PaceRequest } from "./pace/pacer.ts";
/** What the service takes and answers. */
export * from "./types.ts";
