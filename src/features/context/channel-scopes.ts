import { type Rank, reaches } from "../../discord/index.ts";
import { ConnectError } from "../../errors.ts";
import { permissionFor } from "../../oauth/index.ts";
import { type Method, type MethodSpec, methods, needsToken } from "../../video/index.ts";
import type { Middleware, SendCall } from "./middleware.ts";

export interface ScopeOptions {
  /** What the channel's owner consented to; undefined where that is not known. */
  readonly scopes: readonly string[] | undefined;
  /** The person's rank: owners read what to tick, others whom to ask. */
  readonly rank: Rank;
  /** For what everybody sees and the consent does not cover. */
  readonly instead?: () => SendCall | undefined;
}

/**
 * For a linked channel's calls: sends nothing that the consent does not cover. If YouTube refuses something for that reason
 * all the same, the failure is the same.
 * @throws ConnectError `scope_missing`
 */
export function limitToScopes({ scopes, rank, instead }: ScopeOptions): Middleware {
  return async (call, next) => {
    const { method, params } = call;
    const isCovered = coversMethod(method, scopes);
    const isOpen = methods[method].auth !== "token" && !needsToken(methods[method], params);
    const send = isCovered ? next : isOpen ? instead?.() : undefined;
    if (send === undefined) throw scopeMissing(method, rank);
    try {
      return await send(call);
    } catch (error) {
      const lacksScope = error instanceof ConnectError && error.code === "insufficient_permissions";
      throw lacksScope ? scopeMissing(method, rank, error) : error;
    }
  };
}

/** Whether the consent has one of the scopes that allow the method. */
export function coversMethod(method: Method, scopes: readonly string[] | undefined): boolean {
  const methodSpec: MethodSpec = methods[method];
  return scopes === undefined || methodSpec.scopes.some((scope) => scopes.includes(scope));
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
