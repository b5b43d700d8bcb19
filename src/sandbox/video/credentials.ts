import type { MethodSpec } from "../../video/index.ts";
import { Refusal } from "./refusal.ts";

/** What a token stands for. */
export interface Identity {
  readonly channelId: string;
  /** Without their address prefix. */
  readonly scopes: readonly string[];
}

/** Tells what a token stands for; undefined when it is bad or expired. */
export type Identify = (token: string) => Identity | undefined;

export interface Credentials {
  readonly key: string;
  readonly identify: Identify;
}

/** Lets a request in by key or by token, and says for which channel it speaks. */
export function authorise(
  row: MethodSpec,
  request: Request,
  { key, identify }: Credentials,
): Identity | undefined {
  const { searchParams } = new URL(request.url);
  const bearer = /^Bearer (.+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  const token = bearer ?? searchParams.get("access_token") ?? searchParams.get("oauth_token");
  const givenKey = searchParams.get("key") ?? request.headers.get("x-goog-api-key");
  if (givenKey !== null && givenKey !== key) throw badKey();
  if (token === null) {
    if (givenKey === null) throw unregistered();
    if (row.auth === "token") throw tokenNeeded();
    return undefined;
  }
  const identity = identify(token);
  if (identity === undefined) throw badToken();
  if (!row.scopes.some((scope) => identity.scopes.includes(scope))) throw missingScope();
  return identity;
}

const header = { location: "Authorization", locationType: "header" } as const;

/** A parameter asks for what only a user's token may see. */
export function tokenNeeded(): Refusal {
  return new Refusal(401, {
    reason: "authorizationRequired",
    message: "The request uses a parameter or a method that needs an authorized user.",
    domain: "youtube.header",
    place: header,
  });
}

function badKey(): Refusal {
  return new Refusal(400, {
    reason: "keyInvalid",
    message: "API key not valid. Please pass a valid API key.",
    domain: "usageLimits",
  });
}

function unregistered(): Refusal {
  return new Refusal(403, {
    reason: "forbidden",
    message:
      "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
  });
}

function badToken(): Refusal {
  return new Refusal(401, {
    reason: "authError",
    message: "Request had invalid authentication credentials.",
    place: header,
  });
}

function missingScope(): Refusal {
  return new Refusal(403, {
    reason: "insufficientPermissions",
    message: "Request had insufficient authentication scopes.",
  });
}
