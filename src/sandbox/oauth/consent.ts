import { OAuthError, readParameters, requireParam } from "../oauth-request.ts";
import { readScopeList, signInScopes, writeScopeList } from "./scopes.ts";
import type { ConsentRequest, OAuthService, PkceChallenge } from "./service.ts";

const codeLifetimeMs = 600_000;

/**
 * Reads the parameters of the authorisation page.
 * @throws OAuthError whatever is wrong. It is shown on a page, because an unchecked address must never be redirected
 * to.
 */
export function readConsentRequest(
  { origin: issuer, searchParams }: URL,
  { clients }: Pick<OAuthService, "clients">,
): ConsentRequest {
  const values = readParameters(searchParams);
  const client = clients.get(requireParam(values, "client_id"));
  if (client === undefined) {
    throw new OAuthError(401, "invalid_client", "No app is registered with this client_id.");
  }
  const redirectUri = requireParam(values, "redirect_uri");
  if (!client.redirectUris.includes(redirectUri)) {
    const description = `This redirect_uri is not one that ${client.name} has registered.`;
    throw new OAuthError(400, "redirect_uri_mismatch", description);
  }
  if (requireParam(values, "response_type") !== "code") {
    const description = "Only response_type=code is answered here.";
    throw new OAuthError(400, "unsupported_response_type", description);
  }
  const scopes = readScopeList(requireParam(values, "scope"));
  if (scopes === undefined) {
    throw new OAuthError(400, "invalid_scope", "One of the scopes does not exist.");
  }
  return {
    issuer,
    client,
    redirectUri,
    scopes,
    state: values.get("state"),
    challenge: readChallenge(values.get("code_challenge"), values.get("code_challenge_method")),
    isOffline: readChoice(["online", "offline"], values, "access_type") === "offline",
    includesGranted: readChoice(["false", "true"], values, "include_granted_scopes") === "true",
    prompt: readPrompt(values.get("prompt")),
    loginHint: values.get("login_hint"),
    nonce: values.get("nonce"),
  };
}

/** A challenge without a method is a plain one (RFC 7636, 4.3). */
function readChallenge(
  text: string | undefined,
  method: string | undefined,
): PkceChallenge | undefined {
  if (text === undefined) {
    if (method === undefined) return undefined;
    throw invalid("code_challenge_method comes without code_challenge.");
  }
  if (method === "S256") {
    if (/^[\w-]{43}$/.test(text)) return { method, text };
    throw invalid("code_challenge is not a SHA-256 in base64url.");
  }
  if (method !== undefined && method !== "plain") {
    throw invalid("code_challenge_method is one of S256, plain.");
  }
  if (verifierPattern.test(text)) return { method: "plain", text };
  throw invalid("code_challenge is not a code verifier.");
}

/** What a verifier looks like (RFC 7636, 4.1). */
export const verifierPattern = /^[\w.~-]{43,128}$/;

function readPrompt(text: string | undefined): readonly string[] {
  const prompts = ["none", "consent", "select_account"];
  const words = (text ?? "").split(" ").filter((each) => each !== "");
  if (words.some((each) => !prompts.includes(each))) throw invalid("prompt has an unknown value.");
  if (words.includes("none") && words.length > 1) throw invalid("prompt=none stands alone.");
  return words;
}

function readChoice(
  allowed: readonly string[],
  values: ReadonlyMap<string, string>,
  name: string,
): string | undefined {
  const value = values.get(name);
  if (value === undefined || allowed.includes(value)) return value;
  throw invalid(`${name} is one of ${allowed.join(", ")}.`);
}

function invalid(description: string): OAuthError {
  return new OAuthError(400, "invalid_request", description);
}

/** Takes the form of the consent page and says where the browser goes next. A question is answered once. */
export function answerConsent(form: URLSearchParams, service: OAuthService): string {
  const { consents, codes, tokens, now } = service;
  const handle = form.get("request") ?? "";
  const question = consents.find(handle);
  consents.drop(handle);
  if (question === undefined) {
    throw invalid("This question was answered already, or it is too old. Go back to the app.");
  }
  const { request } = question;
  const chosen = form.getAll("scope");
  // The scopes that say who somebody is can't be unticked.
  const ticked = request.scopes.filter(
    (scope) => chosen.includes(scope) || Object.hasOwn(signInScopes, scope),
  );
  // Who unticks everything allows nothing.
  if (form.get("decision") !== "allow" || ticked.length === 0) {
    return redirectWith(request, { error: "access_denied" });
  }
  const account = service.accounts.find(({ id }) => id === form.get("account"));
  if (account === undefined) throw invalid("No account was chosen.");
  const holder = { account, clientId: request.client.id };
  const before = tokens.allow(holder, ticked);
  const scopes = request.includesGranted ? [...new Set([...before, ...ticked])] : ticked;
  // Real codes contain a slash too, so a client that forgets to encode it fails here.
  const code = codes.add("4/0A", {
    request,
    holder,
    scopes,
    expiresAt: now() + codeLifetimeMs,
    isUsed: false,
  });
  return redirectWith(request, { code, scope: writeScopeList(scopes) });
}

/**
 * Where the person's browser goes with the answer; what the address had in its query stays. `iss` says whose answer it
 * is (https://developers.google.com/identity/openid-connect/reference, RFC 9207).
 */
export function redirectWith(
  { issuer, redirectUri, state }: ConsentRequest,
  answer: Readonly<Record<string, string>>,
): string {
  const url = new URL(redirectUri);
  if (state !== undefined) url.searchParams.append("state", state);
  for (const [name, value] of Object.entries(answer)) url.searchParams.append(name, value);
  url.searchParams.append("iss", issuer);
  return url.href;
}
