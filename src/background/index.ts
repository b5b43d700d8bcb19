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
export {
  createPacer,
  type PaceRequest,
  type Pacer,
  type PacerOptions,
  type Turn,
} from "./pace/pacer.ts";
export {
  type Account,
  type BackgroundClient,
  type CallOptions,
  type Channels,
  channels,
  type ForegroundType,
  type Format,
  foregroundTypes,
  formats,
  type Improvement,
  type ImproveRequest,
  type PerType,
  type QueuePlace,
  type RateLimit,
  type Removal,
  type RemoveBackgroundRequest,
  type RemoveOptions,
  type RequestNotice,
  type SeenRateLimit,
  type ShadowType,
  type Size,
  shadowTypes,
  sizes,
  type TypeLevel,
  typeLevels,
} from "./types.ts";
