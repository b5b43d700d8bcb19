import { ConnectError } from "../errors.ts";
import { queryPair } from "./encode.ts";
import type { MethodSpec } from "./methods/spec.ts";

export interface Credentials {
  /** API key: public reads only. */
  readonly key?: string;
  /** OAuth access token, or what fetches a fresh one before each call. */
  readonly token?: string | (() => string | Promise<string>);
  /** `header` when absent, because addresses end up in logs. */
  readonly tokenIn?: "header" | "query";
}

export interface Signed {
  /** `name=value` for the address. */
  readonly pair?: string;
  /** For the header of that name. */
  readonly authorization?: string;
  readonly by: "key" | "token";
}

/** @throws ConnectError `not_connected` */
export function requireCredentials({ key, token }: Credentials): void {
  if (key || token) return;
  throw new ConnectError("neither an API key nor a token was given", {
    code: "not_connected",
    hint: "No video service is connected here yet. Somebody who manages this server can connect it.",
  });
}

/**
 * The one credential a call travels with. Never both: the service refuses a key and a token of different projects.
 * A token wins, because it sees everything that a key sees.
 * @throws ConnectError `token_missing` when the row needs a token, `auth` when the token can't be one.
 */
export async function sign(
  method: string,
  row: MethodSpec,
  { key, token, tokenIn }: Credentials,
): Promise<Signed> {
  if (token && !(row.auth === "key" && key)) {
    const value = typeof token === "string" ? token : await token();
    if (!/^[\x21-\x7e]+$/.test(value)) throw unusableToken(method);
    return tokenIn === "query"
      ? { pair: queryPair("access_token", value), by: "token" }
      : { authorization: `Bearer ${value}`, by: "token" };
  }
  if (row.auth === "token" || !key) throw tokenMissing(method);
  return { pair: queryPair("key", key), by: "key" };
}

/** The call needs somebody's consent, and there is none. */
export function tokenMissing(method: string, cause?: unknown): ConnectError {
  return new ConnectError(`${method} needs a token and there is none`, {
    code: "token_missing",
    hint: "This needs a linked channel. Somebody who manages this server can link it.",
    facts: { method },
    cause,
  });
}

function unusableToken(method: string): ConnectError {
  return new ConnectError(`${method}: the token is empty or holds characters no token has`, {
    code: "auth",
    hint: "The link to the channel is broken. Link the channel again.",
    facts: { method },
  });
}
