import { type BotErrorOptions, ConfigError, NetworkError } from "../errors.ts";

/** Node's codes, which Redis's client leaves in the words alone, and PostgreSQL's while it starts, stops, or is full. */
const passing =
  /\b(?:ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|53300|57P01|57P03)\b|timeout/u;

/** A server that is not there may be there soon, so another start makes sense; what it refuses has to be changed. */
export function unusableServer(
  message: string,
  options: Omit<BotErrorOptions, "code">,
): ConfigError | NetworkError {
  const { code, message: words } = Object(options.cause) as Partial<NodeJS.ErrnoException>;
  const Kind = passing.test(`${code} ${words}`) ? NetworkError : ConfigError;
  return new Kind(message, { ...options, code: "store_server" });
}
