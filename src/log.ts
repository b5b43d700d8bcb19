import { type Logger, pino } from "pino";
import { maskAddresses } from "./log/addresses.ts";
import { forTerminal } from "./log/for-terminal.ts";
import type { Secrets } from "./log/secrets.ts";
import { maskTexts, shape } from "./log/shape.ts";

export { createSecrets, type Secrets } from "./log/secrets.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** Structured log. An error goes into a field, usually `error`, and is written as name, code, message, stack and cause. */
export interface Log {
  debug(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
  /** A log that adds these fields to every line. */
  child(fields: Fields): Log;
}

export interface LogOptions {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly secrets: Secrets;
  /** Takes each finished line with its newline; without it lines go to standard output, in short form on a terminal. */
  readonly write?: (line: string) => void;
}

/** One JSON line each: `time`, `level`, `message`, then the fields. Secrets are masked in the values before a line is made. */
export function createLog({ level, secrets, write = toStandardOutput }: LogOptions): Log {
  const mask = (text: string) => maskAddresses(secrets.remove(text));
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

/** The fields of every line are kept as they came: a secret among them may be known only later. */
function withFields(logger: Logger, mask: (text: string) => string, own: Fields): Log {
  const at = (level: LogOptions["level"]) => (message: string, fields?: Fields) => {
    if (!logger.isLevelEnabled(level)) return;
    logger[level](safe({ ...own, ...fields }, mask), mask(message));
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
function safe(fields: Fields, mask: (text: string) => string): Record<string, unknown> {
  const pairs = Object.entries(fields).map(([given, value]) => {
    const name = mask(given);
    return [taken.has(name) ? `${name}_` : name, maskTexts(shape(value), mask)];
  });
  return Object.fromEntries(pairs);
}

function toStandardOutput(line: string): void {
  process.stdout.write(process.stdout.isTTY ? forTerminal(line) : line);
}
