import { type Rank, reaches } from "../../discord/index.ts";
import { ConnectError } from "../../errors.ts";
import { permissionFor } from "../../oauth/index.ts";
import {
  type Method,
  type MethodSpec,
  methods,
  needsToken,
  type VideoClient,
} from "../../video/index.ts";
import { type LooseClient, loosenClient, strictClient } from "./loose-client.ts";

export interface ScopeOptions {
  /** What the channel's owner consented to; undefined where that is not known. */
  readonly scopes: readonly string[] | undefined;
  /** The person's rank: owners read what to tick, others whom to ask. */
  readonly rank: Rank;
  /** The client for what everybody sees and the consent does not cover. */
  readonly instead?: () => VideoClient | undefined;
}

/**
 * A linked channel's client that sends nothing that the consent does not cover. If the service refuses something for
 * that reason all the same, the failure is the same.
 * @throws ConnectError `scope_missing`
 */
export function limitToScopes(client: VideoClient, granted: ScopeOptions): VideoClient {
  function clientFor(method: Method, params: Parameters<LooseClient["call"]>[1]): LooseClient {
    if (coversMethod(method, granted.scopes)) return loosenClient(client);
    const isOpen = methods[method].auth !== "token" && !needsToken(methods[method], params);
    const instead = isOpen ? granted.instead?.() : undefined;
    if (instead === undefined) throw scopeMissing(method, granted.rank);
    return loosenClient(instead);
  }

  return strictClient({
    async call(method, params, options) {
      const one = clientFor(method, params);
      try {
        return await one.call(method, params, options);
      } catch (error) {
        throw asScopeFailure(error, method, granted.rank);
      }
    },
    async *pages(method, params, options) {
      const one = clientFor(method, params);
      try {
        yield* one.pages(method, params, options);
      } catch (error) {
        throw asScopeFailure(error, method, granted.rank);
      }
    },
  });
}

/** Whether the consent has one of the scopes that allow the method. */
export function coversMethod(method: Method, scopes: readonly string[] | undefined): boolean {
  const methodSpec: MethodSpec = methods[method];
  return scopes === undefined || methodSpec.scopes.some((scope) => scopes.includes(scope));
}

function asScopeFailure(error: unknown, method: Method, rank: Rank): unknown {
  const isRefusal = error instanceof ConnectError && error.code === "insufficient_permissions";
  return isRefusal ? scopeMissing(method, rank, error) : error;
}

/** Owners read what to tick, others whom to ask. */
export function scopeMissing(method: Method, rank: Rank, cause?: ConnectError): ConnectError {
  const permission = permissionFor(methods[method].scopes) ?? "none";
  const isOwner = reaches(rank, "owner");
  return new ConnectError(`the link lacks a scope for ${method}`, {
    code: "scope_missing",
    outcome: cause?.outcome ?? "nothing",
    facts: { method, permission, isOwner },
    ...(cause && { cause }),
  });
}
