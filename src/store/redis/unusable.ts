import type { BotError } from "../../errors.ts";
import { unusableServer } from "../unreachable.ts";

/** What an operator is told; neither part holds the address's password. */
export function unusable(url: string, cause: unknown): BotError {
  const { hostname, port } = new URL(url);
  const reason = cause instanceof Error ? cause.message || cause.name : String(cause);
  return unusableServer(
    `the store's Redis at ${hostname}:${port || 6379} can't be used: ${reason}`,
    { hint: hintOf(reason), cause },
  );
}

function hintOf(reason: string): string {
  if (/NOAUTH|WRONGPASS|AUTH/.test(reason)) {
    return "Correct the user and the password in STORE_URL: redis://user:password@host:port.";
  }
  if (/NOPERM/.test(reason)) {
    return "Let this user run get, mget, eval, zscan, set, del, zadd, zrem, time and zremrangebyscore on greenroom:*.";
  }
  if (/certificate|TLS|SSL|issuer/i.test(reason)) {
    return "Use a certificate that this machine trusts (NODE_EXTRA_CA_CERTS names more), or redis:// in place of rediss://.";
  }
  return "Check that Redis runs, that STORE_URL has its host and port, and that this machine may reach it.";
}
