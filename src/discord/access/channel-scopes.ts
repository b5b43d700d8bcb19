import { ConnectError } from "../../errors.ts";
import { permissionFor } from "../../oauth/index.ts";
import {
  type Method,
  type MethodSpec,
  methods,
  needsToken,
  type VideoClient,
} from "../../video/index.ts";
import { type LooseClient, loosened, strict } from "../declare/loose-client.ts";
import { type Rank, reaches } from "../rank.ts";

export interface ScopeOptions {
  /** What the channel's owner consented to; undefined where that is not known. */
  readonly scopes: readonly string[] | undefined;
  /** Of who asks: owners are told what to tick, others whom to ask. */
  readonly rank: Rank;
  /** Reads what everybody sees where the consent does not reach. */
  readonly instead?: () => VideoClient | undefined;
}

/**
 * A linked channel's client that sends nothing which the consent does not cover. What the service refuses for that
 * reason all the same is told in the same words.
 * @throws ConnectError `scope_missing`
 */
export function withinScopes(client: VideoClient, granted: ScopeOptions): VideoClient {
  function clientFor(method: Method, params: Parameters<LooseClient["call"]>[1]): LooseClient {
    if (serves(method, granted.scopes)) return loosened(client);
    const isOpen = methods[method].auth !== "token" && !needsToken(methods[method], params);
    const instead = isOpen ? granted.instead?.() : undefined;
    if (instead === undefined) throw scopeMissing(method, granted.rank);
    return loosened(instead);
  }

  return strict({
    async call(method, params, options) {
      const one = clientFor(method, params);
      try {
        return await one.call(method, params, options);
      } catch (error) {
        throw told(error, method, granted.rank);
      }
    },
    async *pages(method, params, options) {
      const one = clientFor(method, params);
      try {
        yield* one.pages(method, params, options);
      } catch (error) {
        throw told(error, method, granted.rank);
      }
    },
  });
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
    outcome: cause?.outcome ?? "nothing",
    facts: { method, permission, isOwner },
    ...(cause && { cause }),
  });
}
