import { waitUnlessAborted } from "../clock.ts";
import { ConnectError } from "../errors.ts";
import { isChosen } from "./check/values.ts";
import { queryPair } from "./encode.ts";
import type { CallParams, MethodSpec } from "./methods/spec.ts";

export interface VideoCredentials {
  /** API key, only for reads of public data. */
  readonly key?: string;
  /**
   * OAuth access token, or a function that gives one before each request. After a 401 it is called once more with the
   * refused token; if it gives another one, that is tried once.
   */
  readonly token?: string | ((refused?: string) => string | Promise<string>);
  /** `header` when absent, because addresses get into logs. */
  readonly tokenIn?: "header" | "query";
}

export interface CallSignature {
  readonly by: "key" | "token";
  /** `name=value` for the address. */
  readonly pair?: string;
  /** For the header of that name. */
  readonly authorization?: string;
  /** The token, when a function gave it and can replace it once it is refused. */
  readonly replaceable?: string;
}

export function readSecret({ authorization, pair = "" }: CallSignature): string {
  if (authorization !== undefined) return authorization.slice("Bearer ".length);
  return decodeURIComponent(pair.slice(pair.indexOf("=") + 1));
}

export interface CallToSign {
  readonly method: string;
  readonly methodSpec: MethodSpec;
  readonly params: CallParams;
  readonly signal: AbortSignal | undefined;
}

export type Signer = ReturnType<typeof createSigner>;

/** Signs calls with one set of credentials. */
export function createSigner(credentials: VideoCredentials) {
  const { key, token } = credentials;
  const byKey: CallSignature | undefined = key
    ? { by: "key", pair: queryPair("key", key) }
    : undefined;
  let byText: CallSignature | undefined;

  return { sign, signAgain };

  /**
   * Signs with one credential, never both: YouTube refuses a key and a token of different projects. A token wins,
   * because it sees everything that a key sees.
   * @throws ConnectError `token_missing` when the call needs a token, `auth` when the token has characters no token has.
   */
  function sign(signing: CallToSign): CallSignature | Promise<CallSignature> {
    const { method, methodSpec, params, signal } = signing;
    if (token && !(methodSpec.auth === "key" && byKey)) {
      if (typeof token === "string") {
        byText ??= signedWith(method, token, credentials);
        return byText;
      }
      // Getting a token may need a refresh, and the caller may abort during that.
      const tokenOrAbort = waitUnlessAborted(Promise.resolve(token()), signal);
      return tokenOrAbort.then((value) => signedWith(method, value, credentials));
    }
    if (byKey === undefined || needsToken(methodSpec, params)) throw tokenMissing(method);
    return byKey;
  }

  /** A new signature in place of a refused one; undefined when there is none. */
  async function signAgain(
    { method, signal }: CallToSign,
    { replaceable: refused }: CallSignature,
  ): Promise<CallSignature | undefined> {
    if (typeof token !== "function" || refused === undefined) return undefined;
    const value = await waitUnlessAborted(Promise.resolve(token(refused)), signal);
    return value === refused ? undefined : signedWith(method, value, credentials);
  }
}

/** The call needs a person's consent, and there is none. */
export function tokenMissing(method: string): ConnectError {
  return new ConnectError(`${method} needs a token and there is none`, {
    code: "token_missing",
    facts: { method },
  });
}

/** Visible ASCII, which a header can carry. */
const tokenShape = /^[\x21-\x7e]+$/;

function signedWith(
  method: string,
  value: string,
  { token, tokenIn }: VideoCredentials,
): CallSignature {
  if (typeof value !== "string" || !tokenShape.test(value)) {
    throw new ConnectError(`${method}: the token is empty or holds characters no token has`, {
      code: "auth",
      facts: { method },
    });
  }
  const replaceable = typeof token === "function" ? { replaceable: value } : undefined;
  return tokenIn === "query"
    ? { by: "token", pair: queryPair("access_token", value), ...replaceable }
    : { by: "token", authorization: `Bearer ${value}`, ...replaceable };
}

/** Whether a call with these parameters is refused without a token. */
export function needsToken(methodSpec: MethodSpec, params: CallParams): boolean {
  if (methodSpec.auth === "token") return true;
  for (const name in params) {
    const needed = methodSpec.query[name]?.needsToken;
    const value = params[name];
    const isNeeded =
      needed === true ? isChosen(value) : [value].flat().some((one) => needed?.includes(`${one}`));
    if (isNeeded) return true;
  }
  return false;
}
