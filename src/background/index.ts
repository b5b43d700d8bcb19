/** Builds a client for one API key. */
export {
  type BackgroundClientOptions,
  createBackgroundClient,
} from "./create-background-client.ts";
/** Keeps one API key within its megapixels a minute. */
export { createPacer, type Pacer, type PacerOptions } from "./pace.ts";
export type {
  Account,
  BackgroundClient,
  ForegroundType,
  Format,
  RateLimit,
  Removal,
  RemoveBackgroundRequest,
  RemoveOptions,
  Size,
} from "./types.ts";
