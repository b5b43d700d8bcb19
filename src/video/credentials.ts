import { abortable } from "../clock.ts";
import { ConnectError } from "../errors.ts";
import { queryPair } from "./encode.ts";
import type { MethodSpec } from "./methods/spec.ts";
import { needsToken } from "./needs-token.ts";
import type { Given } from "./split.ts";

export interface Credentials {
  /** API key: public reads only. */
  readonly key?: string;
  /**
   * OAuth access token, or what gives one before each request. After a 401 it is asked once more and told which token
   * was refused; another one is tried once.
   */
  readonly token?: string | ((refused?: string) => string | Promise<string>);
  /** `header` when absent, because addresses end up in logs. */
  readonly tokenIn?: "header" | "query";
}

export interface Signed {
  readonly by: "key" | "token";
  /** `name=value` for the address. */
  readonly pair?: string;
  /** For the header of that name. */
  readonly authorization?: string;
  /** What it was signed with, when a function gave it and can be told of its refusal. */
  readonly replaceable?: string;
}

/** The key or the token itself. */
export function secretOf({ authorization, pair = "" }: Signed): string {
  if (authorization !== undefined) return authorization.slice("Bearer ".length);
  return decodeURIComponent(pair.slice(pair.indexOf("=") + 1));
}

/** What is to be signed. */
export interface Signing {
  readonly method: string;
  readonly row: MethodSpec;
  readonly params: Given;
  readonly signal: AbortSignal | undefined;
}

/** Signs calls with one set of credentials. */
export interface Signer {
  /**
   * The one credential a call travels with. Never both: the service refuses a key and a token of different projects.
   * A token wins, because it sees everything that a key sees.
   * @throws ConnectError `token_missing` when the call needs a token, `auth` when the token can't be one.
   */
  sign(signing: Signing): Signed | Promise<Signed>;
  /** Another signature in place of one that was refused; undefined when there is no other. */
  signAgain(signing: Signing, refused: Signed): Promise<Signed | undefined>;
}

/** @throws ConnectError `not_connected` */
export function requireCredentials({ key, token }: Credentials): void {
  if (key || token) return;
  throw new ConnectError("neither an API key nor a token was given", { code: "not_connected" });
}

export function createSigner(credentials: Credentials): Signer {
  const { key, token } = credentials;
  const byKey: Signed | undefined = key ? { by: "key", pair: queryPair("key", key) } : undefined;
  let byText: Signed | undefined;

  function sign(signing: Signing): Signed | Promise<Signed> {
    const { method, row, params, signal } = signing;
    if (token && !(row.auth === "key" && byKey)) {
      if (typeof token === "string") {
        byText ??= signedWith(method, token, credentials);
        return byText;
      }
      // A token may take a refresh; whoever waits for it can still leave.
      const given = abortable(Promise.resolve(token()), signal);
      return given.then((value) => signedWith(method, value, credentials));
    }
    if (byKey === undefined || needsToken(row, params)) throw tokenMissing(method);
    return byKey;
  }

  async function signAgain({ method, signal }: Signing, { replaceable: refused }: Signed) {
    if (typeof token !== "function" || refused === undefined) return undefined;
    const value = await abortable(Promise.resolve(token(refused)), signal);
    return value === refused ? undefined : signedWith(method, value, credentials);
  }

  return { sign, signAgain };
}

/** The call needs somebody's consent, and there is none. */
export function tokenMissing(method: string, cause?: unknown): ConnectError {
  return new ConnectError(`${method} needs a token and there is none`, {
    code: "token_missing",
    facts: { method },
    cause,
  });
}

/** Visible ASCII: what a header can carry. */
const tokenShape = /^[\x21-\x7e]+$/;

function signedWith(method: string, value: string, { token, tokenIn }: Credentials): Signed {
  if (typeof value !== "string" || !tokenShape.test(value)) throw unusableToken(method);
  const replaceable = typeof token === "function" ? { replaceable: value } : undefined;
  return tokenIn === "query"
    ? { by: "token", pair: queryPair("access_token", value), ...replaceable }
    : { by: "token", authorization: `Bearer ${value}`, ...replaceable };
}

function unusableToken(method: string): ConnectError {
  return new ConnectError(`${method}: the token is empty or holds characters no token has`, {
    code: "auth",
    facts: { method },
  });
}
