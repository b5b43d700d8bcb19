import { randomBytes } from "node:crypto";
import { OAuthRefusal } from "../oauth-request.ts";
import { type ConsentRequest, redirectWith } from "./authorization.ts";
import type { Codes } from "./codes.ts";
import { signInScopes, writeScopeList } from "./scopes.ts";
import type { IssuedTokens, OAuthAccount } from "./tokens.ts";

const lifetimeMs = 3_600_000;
const maxOpen = 1_000;

/** Consent pages that were shown and not answered yet. */
export interface OpenConsents {
  /** The handle that the page's form carries; nobody else's page can know it. */
  open(authorization: ConsentRequest): string;
  /** A question is answered once. */
  take(handle: string): ConsentRequest | undefined;
}

export function createOpenConsents(now: () => number): OpenConsents {
  const open = new Map<string, { authorization: ConsentRequest; until: number }>();

  return {
    open(authorization) {
      const [oldest] = open.keys();
      if (open.size >= maxOpen && oldest !== undefined) open.delete(oldest);
      const handle = randomBytes(24).toString("base64url");
      open.set(handle, { authorization, until: now() + lifetimeMs });
      return handle;
    },
    take(handle) {
      const found = open.get(handle);
      open.delete(handle);
      return found !== undefined && found.until > now() ? found.authorization : undefined;
    },
  };
}

interface ConsentDeps {
  readonly accounts: readonly OAuthAccount[];
  readonly consents: OpenConsents;
  readonly codes: Codes;
  readonly tokens: IssuedTokens;
}

/** Takes the form of the consent page and says where the browser goes next. */
export function answerConsent(form: URLSearchParams, services: ConsentDeps): string {
  const authorization = services.consents.take(form.get("request") ?? "");
  if (authorization === undefined) {
    const description = "This question was answered already, or it is too old. Go back to the app.";
    throw new OAuthRefusal(400, "invalid_request", description);
  }
  const chosen = form.getAll("scope");
  // The scopes that say who somebody is can't be unticked.
  const ticked = authorization.scopes.filter(
    (scope) => chosen.includes(scope) || Object.hasOwn(signInScopes, scope),
  );
  // Unticking everything is a refusal.
  if (form.get("decision") !== "allow" || ticked.length === 0) {
    return redirectWith(authorization, { error: "access_denied" });
  }
  const account = services.accounts.find(({ id }) => id === form.get("account"));
  if (account === undefined) {
    throw new OAuthRefusal(400, "invalid_request", "No account was chosen.");
  }
  const { code, scopes } = grant({ authorization, account, ticked }, services);
  return redirectWith(authorization, { code, scope: writeScopeList(scopes) });
}

interface ConsentDecision {
  readonly authorization: ConsentRequest;
  readonly account: OAuthAccount;
  readonly ticked: readonly string[];
}

function grant(
  { authorization, account, ticked }: ConsentDecision,
  { codes, tokens }: ConsentDeps,
) {
  const { client, challenge, nonce, redirectUri, isOffline, includesGranted, prompt } =
    authorization;
  const holder = { account, clientId: client.id };
  const before = tokens.allow(holder, ticked);
  const scopes = includesGranted ? [...new Set([...before, ...ticked])] : ticked;
  const code = codes.issue({
    holder,
    scopes,
    redirectUri,
    challenge,
    nonce,
    isOffline,
    renewsRefresh: prompt.includes("consent"),
  });
  return { code, scopes };
}
