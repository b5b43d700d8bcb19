import { type Logger, pino } from "pino";
import { maskAddresses } from "./log/addresses.ts";
import { forTerminal } from "./log/for-terminal.ts";
import type { Secrets } from "./log/secrets.ts";
import { shape } from "./log/shape.ts";

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

/** One JSON line each: `time`, `level`, `message`, then the fields. Secrets are removed from the finished line. */
export function createLog({ level, secrets, write = toStandardOutput }: LogOptions): Log {
  const sink = { write: (line: string) => write(maskAddresses(secrets.remove(line))) };
  const options = {
    level,
    base: null,
    messageKey: "message",
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    // Fields are made safe before pino sees them; its own serializers would look for raw errors.
    serializers: {},
  };
  return fromPino(pino(options, sink));
}

function fromPino(logger: Logger): Log {
  const at = (level: LogOptions["level"]) => (message: string, fields?: Fields) => {
    if (logger.isLevelEnabled(level)) logger[level](safe(fields), message);
  };
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    child: (fields) => fromPino(logger.child(safe(fields))),
  };
}

const taken: ReadonlySet<string> = new Set(["time", "level", "message"]);

/** A field with the name of one of the line's own parts gets a trailing underscore. */
function safe(fields: Fields = {}): Record<string, unknown> {
  const pairs = Object.entries(fields).map(([name, value]) => [rename(name), shape(value)]);
  return Object.fromEntries(pairs);
}

function rename(name: string): string {
  return taken.has(name) ? `${name}_` : name;
}

function toStandardOutput(line: string): void {
  process.stdout.write(process.stdout.isTTY ? forTerminal(line) : line);
}
