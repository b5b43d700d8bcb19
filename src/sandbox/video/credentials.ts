import type { IncomingHttpHeaders } from "node:http";
import type { MethodSpec } from "../../video/index.ts";
import { fixedError } from "./api-error.ts";
import { mainProject } from "./quota.ts";

/** What a token stands for. */
interface Identity {
  /** Undefined when its account has no channel. */
  readonly channelId: string | undefined;
  /** Without their address prefix. */
  readonly scopes: readonly string[];
  /** The project whose daily budgets its calls spend; that of the stand-in's own key when absent. */
  readonly project?: string;
}

/** Looks up a token; undefined when it is bad or expired. */
export type Identify = (token: string) => Identity | undefined;

export interface AcceptedCredentials {
  /** The project of each key that is let in. */
  readonly keys: ReadonlyMap<string, string>;
  readonly identify: Identify;
}

/** The channel a request acts for, and the project that pays for it. */
export interface Caller {
  /** Undefined with a key alone. */
  readonly channelId: string | undefined;
  readonly project: string;
}

/** Finds out who calls, by key or by token, and refuses everybody else. */
export function authoriseCaller(
  methodSpec: MethodSpec,
  { headers, search }: { readonly headers: IncomingHttpHeaders; readonly search: URLSearchParams },
  { keys, identify }: AcceptedCredentials,
): Caller {
  const bearer = /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1];
  const token = bearer ?? search.get("access_token") ?? search.get("oauth_token");
  const key = search.get("key") ?? headers["x-goog-api-key"];
  const project = keys.get(String(key)) ?? mainProject;
  if (key != null && !keys.has(String(key))) throw fixedError("badKey");
  if (token === null) {
    if (key == null) throw fixedError("unregistered");
    if (methodSpec.auth === "token") throw fixedError("tokenNeeded");
    return { channelId: undefined, project };
  }
  const identity = identify(token);
  if (identity === undefined) throw fixedError("badToken");
  const { channelId, scopes } = identity;
  if (!methodSpec.scopes.some((scope) => scopes.includes(scope))) throw fixedError("missingScope");
  // The account is good, and has no channel.
  if (channelId === undefined) throw fixedError("channelNeeded");
  return { channelId, project: identity.project ?? project };
}
