import { type BotErrorOptions, ConfigError, NetworkError } from "../errors.ts";

/** Of Node, and of PostgreSQL while it starts, stops, or has no connection left. */
const passing: ReadonlySet<unknown> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ETIMEDOUT",
  "EAI_AGAIN",
  "ENOTFOUND",
  "53300",
  "57P01",
  "57P03",
]);

/** A server that is not there may be there soon, so another start makes sense; what it refuses has to be changed. */
export function unusableServer(
  message: string,
  options: Omit<BotErrorOptions, "code">,
): ConfigError | NetworkError {
  const { code } = Object(options.cause) as { code?: unknown };
  const Kind = passing.has(code) ? NetworkError : ConfigError;
  return new Kind(message, { ...options, code: "store_server" });
}
