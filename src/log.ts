import { type Logger, pino } from "pino";
import { formatForTerminal } from "./log/format-for-terminal.ts";
import { maskTexts, toLogValue } from "./log/log-value.ts";
import { type Secrets, secretMark } from "./log/secrets.ts";

export { createSecrets, type Secrets } from "./log/secrets.ts";

export type LogFields = Readonly<Record<string, unknown>>;

/** A structured log. Errors go into a field, usually `error`, and are written as name, code, message, stack and cause. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** A log that adds these fields to every line. */
  child(fields: LogFields): Log;
}

interface LogOptions {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly secrets: Secrets;
  /** Receives each finished line with its newline. When absent, lines go to standard output, in short form on a terminal. */
  readonly write?: (line: string) => void;
}

/** Creates a log of JSON lines: `time`, `level`, `message`, then the fields. Secrets are masked before a line is made. */
export function createLog({ level, secrets, write = toStandardOutput }: LogOptions): Log {
  /** Masks known secrets, and the secret parts of addresses: tokens in Discord's paths, keys and tokens in queries. */
  const mask = (text: string) =>
    secrets
      .remove(text)
      .replace(tokenInPath, `$1${secretMark}`)
      .replace(keyInQuery, `$1${secretMark}`);
  const options = {
    level,
    base: null,
    messageKey: "message",
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    // Fields are made safe before pino sees them; its own serializers would look for raw errors.
    serializers: {},
  };
  return withFields(pino(options, { write }), mask, {});
}

/** Common fields are masked again for every line, because a secret in them may become known only later. */
function withFields(logger: Logger, mask: (text: string) => string, own: LogFields): Log {
  const at = (level: LogOptions["level"]) => (message: string, fields?: LogFields) => {
    if (!logger.isLevelEnabled(level)) return;
    logger[level](makeSafe({ ...own, ...fields }, mask), mask(message));
  };
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    child: (fields) => withFields(logger, mask, { ...own, ...fields }),
  };
}

const taken: ReadonlySet<string> = new Set(["time", "level", "message"]);

/** A field with the name of one of the line's own parts gets a trailing underscore. */
function makeSafe(fields: LogFields, mask: (text: string) => string): Record<string, unknown> {
  const pairs = Object.entries(fields).map(([fieldName, value]) => {
    const name = mask(fieldName);
    return [taken.has(name) ? `${name}_` : name, maskTexts(toLogValue(value), mask)];
  });
  return Object.fromEntries(pairs);
}

function toStandardOutput(line: string): void {
  process.stdout.write(process.stdout.isTTY ? formatForTerminal(line) : line);
}

const slash = "(?:/|%2F)";
/** Used only after another part, so that a run of backslashes is scanned only once. */
const escapedSlash = String.raw`(?:\\*/|%2F)`;
const piece = String.raw`[^/?#&\s"'\\<>%]`;

// Interaction and webhook tokens stand in the path,
// https://discord.com/developers/docs/interactions/receiving-and-responding#endpoints.
const tokenInPath = new RegExp(
  `(${slash}(?:interactions|webhooks)${escapedSlash}\\d+${escapedSlash})${piece}+`,
  "gi",
);

const names = "(?:api[_-]?)?key|(?:access_|refresh_|id_)?token|client_secret";
const keyInQuery = new RegExp(
  `((?:(?<![\\w-])|%3F|%26|\\\\u0026)(?:${names})(?:=|%3D))[^&#\\s"'\\\\<>]+`,
  "gi",
);
