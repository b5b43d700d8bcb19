import { BotError, ConfigError, type Outcome, ServiceError } from "../errors.ts";

/** PostgreSQL's or Node's error code; empty if there is none. */
export function readErrorCode(error: unknown): string {
  return String((error as { readonly code?: unknown } | undefined)?.code ?? "");
}

/** What an operator has to repair, by SQLite's result codes (https://www.sqlite.org/rescode.html). */
const reasons: Readonly<Record<number, string>> = {
  8: "the store's file may not be written",
  10: "the disk of the store's file failed",
  11: "the store's file is damaged: restore it from a backup",
  13: "the disk of the store's file is full",
  26: "the store's file is damaged: restore it from a backup",
};

/** Our own errors keep their kind; whatever the database or its driver throws becomes `store_unavailable`. */
export function toDatabaseError(error: unknown, outcome: Outcome = "nothing"): BotError {
  if (error instanceof BotError) return error;
  const { errcode = 0 } = (error ?? {}) as { readonly errcode?: number };
  const reason = reasons[errcode % 256] ?? "the store's database failed";
  return new ServiceError(reason, { code: "store_unavailable", outcome, cause: error });
}

/** For a write that came after its server, or the watch or feed it belongs to, was erased. */
export function createServerErasedError(cause?: unknown): ServiceError {
  return new ServiceError("the server was erased while this was under way", {
    code: "guild_erased",
    cause,
  });
}

/** For a query that nobody waited for, and that ran only after its transaction had ended. */
export function createTransactionOverError(): Error {
  return new Error("the transaction that this query is part of is over");
}

/** SQLite's codes for a unique key, and PostgreSQL's. */
const uniqueConflicts: ReadonlySet<unknown> = new Set([1555, 2067, "23505"]);

/** Whether another row already has a value that only one may have. */
export function isUniqueConflict(error: unknown): boolean {
  const { cause } = error as { readonly cause?: { readonly errcode?: unknown; code?: unknown } };
  return uniqueConflicts.has(cause?.errcode) || uniqueConflicts.has(cause?.code);
}

/**
 * PostgreSQL's codes for a connection that it ended: because a transaction stood still for too long, or by an operator or a
 * restart. Node's for one that was cut.
 */
const endings: ReadonlySet<string> = new Set(["25P03", "57P01", "57P02", "ECONNRESET", "EPIPE"]);

/** Whether the connection was ended before anything of its transaction was kept, which can then be begun again. */
export function isCutOff(error: unknown): boolean {
  if (!(error instanceof BotError) || error.outcome !== "nothing") return false;
  const { cause } = error;
  const isEnded = cause instanceof Error && cause.message.startsWith("Connection terminated unex");
  return isEnded || endings.has(readErrorCode(cause));
}

export function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:\/\/./u.test(url) && URL.canParse(url);
}

/** The path in the address of a SQLite file; undefined for another address. */
export function parseSqlitePath(url: string): string | undefined {
  return /^sqlite:(.+)$/u.exec(url)?.[1];
}

/** @throws ConfigError `store_url`. */
export function requireSqlitePath(url: string): string {
  const path = parseSqlitePath(url);
  if (path !== undefined) return path;
  throw new ConfigError("the store's address is not one this version can open", {
    code: "store_url",
    hint: "Set STORE_URL to sqlite: and a path, such as sqlite:.greenroom/greenroom.sqlite, or to an address that starts with postgres://.",
  });
}

/** Turns every failure to open a database into a ConfigError: the configuration is wrong, or the database server is down. */
export async function refuseUnusable<T>(url: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const cause = error instanceof BotError ? error.cause : error;
    throw isPostgresUrl(url) ? createServerError(url, cause) : createFileError(url, cause);
  }
}

function createFileError(url: string, cause: unknown): ConfigError {
  const path = requireSqlitePath(url);
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ConfigError(`the store's file ${path} can't be opened: ${reason}`, {
    code: "store_file",
    hint: `Check that ${path} is a Greenroom database on a disk with space, and that this user may write it and its folder.`,
    cause,
  });
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const serverHints: Readonly<Record<string, string>> = {
  "28P01":
    "Correct the user and the password in STORE_URL: postgres://user:password@host:port/database.",
  "28000": "Let this user in from this machine (pg_hba.conf), or correct the user in STORE_URL.",
  "3D000": "Make the database with createdb, or correct its name at the end of STORE_URL.",
  "42501":
    "Make this user the owner of the database, so that it may make its tables in the schema public.",
  "25006": "Promote this server, or let STORE_URL lead to the one that takes writes.",
  "53300":
    "Raise max_connections, or close what else uses this server: each process of Greenroom takes up to 10.",
};

const unreachable =
  "Check that PostgreSQL runs, that STORE_URL has its host and port, and that this machine may reach it.";

/**
 * Failures that may pass: Node's, and PostgreSQL's while it starts, stops, refuses writes, or lacks connections, memory or
 * disk.
 */
const passing = [
  /\b(?:ECONN\w+|EHOST\w+|ENET\w+|ETIMEDOUT|EPIPE|EAI_\w+|ENOTFOUND)\b/u,
  /\b(?:25006|53\w{3}|57P0\d|58\w{3}|080\w\d|40001|40P01)\b/u,
  /timeout|Connection terminated|became free in time|standby/u,
];

/** The error never contains the password in the address. */
function createServerError(url: string, cause: unknown): ConfigError {
  const { hostname, port } = new URL(url);
  const code = readErrorCode(cause);
  const words = cause instanceof Error ? cause.message : String(cause);
  const where = `${hostname || "localhost"}:${port || 5432}`;
  return new ConfigError(`the store's PostgreSQL at ${where} can't be used: ${words || code}`, {
    code: "store_server",
    hint: serverHints[code] ?? unreachable,
    facts: { mayPass: passing.some((one) => one.test(`${code} ${words}`)) },
    cause,
  });
}
