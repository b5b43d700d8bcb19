import type { BotError } from "../../errors.ts";
import { unusableServer } from "../unreachable.ts";

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const hints: Readonly<Record<string, string>> = {
  "28P01":
    "Correct the user and the password in STORE_URL: postgres://user:password@host:port/database.",
  "28000": "Let this user in from this machine (pg_hba.conf), or correct the user in STORE_URL.",
  "3D000": "Make the database with createdb, or correct its name at the end of STORE_URL.",
  "42501":
    "Make this user the owner of the database, so that it may make its table in the schema public.",
  "53300":
    "Raise max_connections, or close what else uses this server: each process of Greenroom takes up to 8.",
};

const unreachable =
  "Check that PostgreSQL runs, that STORE_URL has its host and port, and that this machine may reach it.";

/** What an operator is told; neither part holds the address's password. */
export function unusable(url: string, cause: unknown): BotError {
  const { hostname, port } = new URL(url);
  const { code = "", message = String(cause) } = cause as { code?: string; message?: string };
  const where = `${hostname || "localhost"}:${port || 5432}`;
  return unusableServer(`the store's PostgreSQL at ${where} can't be used: ${message || code}`, {
    hint: hints[code] ?? unreachable,
    cause,
  });
}
