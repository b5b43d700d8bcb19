import { ConnectError } from "../../errors.ts";
import { permissionFor } from "../../oauth/index.ts";
import {
  type Method,
  type MethodSpec,
  methods,
  needsToken,
  type VideoClient,
} from "../../video/index.ts";
import { type Rank, reaches } from "../rank.ts";

export interface ScopeParts {
  /** What the channel's owner consented to; undefined where that is not known. */
  readonly scopes: readonly string[] | undefined;
  /** Of who asks: owners are told what to tick, others whom to ask. */
  readonly rank: Rank;
  /** Reads what everybody sees where the consent does not reach. */
  readonly instead?: () => VideoClient | undefined;
}

type Params = Readonly<Record<string, unknown>>;
type Loose = (method: Method, params: object, options?: object) => Promise<unknown>;
type Walk = (method: Method, params: object, options?: object) => AsyncIterable<unknown>;

/**
 * A linked channel's client that sends nothing which the consent does not cover. What the service refuses for that
 * reason all the same is told in the same words.
 * @throws ConnectError `scope_missing`
 */
export function withinScopes(client: VideoClient, parts: ScopeParts): VideoClient {
  function clientFor(method: Method, params: object): VideoClient {
    if (serves(method, parts.scopes)) return client;
    const isOpen =
      methods[method].auth !== "token" && !needsToken(methods[method], params as Params);
    const instead = isOpen ? parts.instead?.() : undefined;
    if (instead === undefined) throw scopeMissing(method, parts.rank);
    return instead;
  }

  const call: Loose = async (method, params, options) => {
    const one = clientFor(method, params);
    try {
      return await (one.call.bind(one) as Loose)(method, params, options);
    } catch (error) {
      throw told(error, method, parts.rank);
    }
  };
  const pages: Walk = async function* (method, params, options) {
    const one = clientFor(method, params);
    try {
      yield* (one.pages.bind(one) as Walk)(method, params, options);
    } catch (error) {
      throw told(error, method, parts.rank);
    }
  };
  // The methods keep their types: nothing of a call or an answer is changed.
  return { call: call as VideoClient["call"], pages: pages as unknown as VideoClient["pages"] };
}

/** Whether one of the scopes that the row names was consented to. */
export function serves(method: Method, scopes: readonly string[] | undefined): boolean {
  const row: MethodSpec = methods[method];
  return scopes === undefined || row.scopes.some((scope) => scopes.includes(scope));
}

function told(error: unknown, method: Method, rank: Rank): unknown {
  const isRefusal = error instanceof ConnectError && error.code === "insufficient_permissions";
  return isRefusal ? scopeMissing(method, rank, error) : error;
}

/** Owners are told what to tick, others whom to ask. */
export function scopeMissing(method: Method, rank: Rank, cause?: ConnectError): ConnectError {
  const permission = permissionFor(methods[method].scopes) ?? "none";
  const isOwner = reaches(rank, "owner");
  return new ConnectError(`the link lacks a scope for ${method}`, {
    code: "scope_missing",
    hint: isOwner
      ? `Reconnect the channel and tick “${permission}”.`
      : `Somebody with the Manage Server permission can reconnect the channel and tick “${permission}”.`,
    outcome: cause?.outcome ?? "nothing",
    facts: { method, permission, isOwner },
    ...(cause && { cause }),
  });
}
