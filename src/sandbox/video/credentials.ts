import type { IncomingHttpHeaders } from "node:http";
import type { MethodSpec } from "../../video/index.ts";
import { mainProject } from "./quota.ts";
import { ApiRefusal } from "./refusal.ts";

/** What a token stands for. */
interface Identity {
  /** Undefined when its account has no channel. */
  readonly channelId: string | undefined;
  /** Without their address prefix. */
  readonly scopes: readonly string[];
  /** Whose daily budgets its calls spend; those of the stand-in's own key when absent. */
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

/** Lets a request in by key or by token. */
export function authoriseCaller(
  methodSpec: MethodSpec,
  { headers, search }: { readonly headers: IncomingHttpHeaders; readonly search: URLSearchParams },
  { keys, identify }: AcceptedCredentials,
): Caller {
  const bearer = /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1];
  const token = bearer ?? search.get("access_token") ?? search.get("oauth_token");
  const key = search.get("key") ?? headers["x-goog-api-key"];
  const project = keys.get(String(key)) ?? mainProject;
  if (key != null && !keys.has(String(key))) throw badKey();
  if (token === null) {
    if (key == null) throw unregistered();
    if (methodSpec.auth === "token") throw tokenNeeded();
    return { channelId: undefined, project };
  }
  const identity = identify(token);
  if (identity === undefined) throw badToken();
  if (!methodSpec.scopes.some((scope) => identity.scopes.includes(scope))) throw missingScope();
  if (identity.channelId === undefined) throw channelNeeded();
  return { channelId: identity.channelId, project: identity.project ?? project };
}

const header = { location: "Authorization", locationType: "header" } as const;

/** A parameter asks for what only a user's token may see. */
export function tokenNeeded(): ApiRefusal {
  return new ApiRefusal(401, {
    reason: "authorizationRequired",
    message: "The request uses a parameter or a method that needs an authorized user.",
    domain: "youtube.header",
    place: header,
  });
}

function badKey(): ApiRefusal {
  return new ApiRefusal(400, {
    reason: "keyInvalid",
    message: "API key not valid. Please pass a valid API key.",
    domain: "usageLimits",
  });
}

function unregistered(): ApiRefusal {
  return new ApiRefusal(403, {
    reason: "forbidden",
    message:
      "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
  });
}

function badToken(): ApiRefusal {
  return new ApiRefusal(401, {
    reason: "authError",
    message: "Request had invalid authentication credentials.",
    place: header,
  });
}

function missingScope(): ApiRefusal {
  return new ApiRefusal(403, {
    reason: "insufficientPermissions",
    message: "Request had insufficient authentication scopes.",
  });
}

/** The account is good, and there is nothing on the platform that is its own. */
function channelNeeded(): ApiRefusal {
  return new ApiRefusal(401, {
    reason: "youtubeSignupRequired",
    message: "Unauthorized",
    domain: "youtube.header",
    place: header,
  });
}
