/** The limits of one API key, shared by its clients. */
export { createKeyAllowance, type KeyAllowance } from "./allowance.ts";
/** Most credits that a call takes. */
export { estimatePrice } from "./balance.ts";
/** Builds a client for one API key. */
export {
  type BackgroundClientOptions,
  createBackgroundClient,
} from "./create-background-client.ts";
/** Builds a client for a server of rembg. */
export { createRembgClient, type RembgClientOptions } from "./create-rembg-client.ts";
export { resultLost } from "./failure.ts";
/** Keeps the calls of one API key within its megapixels a minute. */
export { createPacer, type PaceRequest } from "./pace/pacer.ts";
/** The megapixels of a key's running minute, where several processes use the key. */
export { firstRateWindow, type RateWindow, type SharedRateWindow } from "./pace/rate-window.ts";
/** What may be asked of a cut-out: one table, from which types, checks and names on the wire come. */
export {
  type ForegroundType,
  foregroundTypes,
  isValidParameter,
  type PerType,
  type ResultFormat,
  type ResultSize,
  resultFormats,
  resultSizes,
  type ShadowType,
  shadowForegrounds,
  shadowTypes,
  typeLevels,
} from "./parameters.ts";
/** What remove.bg takes and returns, and the limits of its results. */
export * from "./types.ts";
