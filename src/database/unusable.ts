import { BotError, ConfigError } from "../errors.ts";
import { codeOf } from "./postgres.ts";

export function isPostgres(url: string): boolean {
  return /^postgres(ql)?:\/\/./u.test(url) && URL.canParse(url);
}

/** The path in an address of a file; undefined for another address. */
export function sqliteFileOf(url: string): string | undefined {
  return /^sqlite:(.+)$/u.exec(url)?.[1];
}

/** @throws ConfigError `store_url`. */
export function sqlitePath(url: string): string {
  const path = sqliteFileOf(url);
  if (path !== undefined) return path;
  throw new ConfigError("the store's address is not one this version can open", {
    code: "store_url",
    hint: "Set STORE_URL to sqlite: and a path, such as sqlite:.greenroom/greenroom.sqlite, or to an address that starts with postgres://.",
  });
}

/** Whatever fails while a database is opened is a fault of its configuration, or a server that is not there. */
export async function refuseUnusable<T>(url: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const cause = error instanceof BotError ? error.cause : error;
    throw isPostgres(url) ? serverUnusable(url, cause) : fileUnusable(url, cause);
  }
}

function fileUnusable(url: string, cause: unknown): ConfigError {
  const path = sqlitePath(url);
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
  "53300":
    "Raise max_connections, or close what else uses this server: each process of Greenroom takes up to 8.",
};

const unreachable =
  "Check that PostgreSQL runs, that STORE_URL has its host and port, and that this machine may reach it.";

/** Node's codes, and PostgreSQL's while it starts, stops, or is full: it may be there soon. */
const passing =
  /\b(?:ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|53300|57P01|57P03)\b|timeout/u;

/** No part of it holds the address's password. */
function serverUnusable(url: string, cause: unknown): ConfigError {
  const { hostname, port } = new URL(url);
  const code = codeOf(cause);
  const words = cause instanceof Error ? cause.message : String(cause);
  const where = `${hostname || "localhost"}:${port || 5432}`;
  return new ConfigError(`the store's PostgreSQL at ${where} can't be used: ${words || code}`, {
    code: "store_server",
    hint: serverHints[code] ?? unreachable,
    facts: { mayPass: passing.test(`${code} ${words}`) },
    cause,
  });
}
