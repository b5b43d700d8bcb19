import {
  type OAuthClient,
  type OAuthClients,
  OAuthRefusal,
  readParameters,
  requireParam,
} from "../oauth-request.ts";
import { readScopeList } from "./scopes.ts";

/** PKCE (RFC 7636): what the verifier must match, by its hash or exactly. */
export interface PkceChallenge {
  readonly method: "S256" | "plain";
  readonly text: string;
}

/** What a client asks a person for, checked. */
export interface ConsentRequest {
  /** This service, as its answers name it. */
  readonly issuer: string;
  readonly client: OAuthClient;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly state: string | undefined;
  readonly challenge: PkceChallenge | undefined;
  /** Comes back in the identity token. */
  readonly nonce: string | undefined;
  readonly isOffline: boolean;
  readonly includesGranted: boolean;
  readonly prompt: readonly string[];
  /** Who the client thinks will answer. */
  readonly loginHint: string | undefined;
}

const prompts = ["none", "consent", "select_account"];

/**
 * Reads the parameters of the authorisation page.
 * @throws OAuthRefusal whatever is wrong. It is shown on a page, because an unchecked address must never be redirected
 * to.
 */
export function readConsentRequest(
  { origin: issuer, searchParams }: URL,
  clients: OAuthClients,
): ConsentRequest {
  const values = readParameters(searchParams);
  const client = readClient(requireParam(values, "client_id"), clients);
  const redirectUri = readRedirect(requireParam(values, "redirect_uri"), client);
  readResponseType(requireParam(values, "response_type"));
  return {
    issuer,
    client,
    redirectUri,
    scopes: readAsked(requireParam(values, "scope")),
    state: values.get("state"),
    challenge: readChallenge(values.get("code_challenge"), values.get("code_challenge_method")),
    isOffline: checkChoice(["online", "offline"], values, "access_type") === "offline",
    includesGranted: checkChoice(["false", "true"], values, "include_granted_scopes") === "true",
    prompt: readPrompt(values.get("prompt")),
    loginHint: values.get("login_hint"),
    nonce: values.get("nonce"),
  };
}

function readClient(id: string, clients: OAuthClients): OAuthClient {
  const client = clients.get(id);
  if (client !== undefined) return client;
  throw new OAuthRefusal(401, "invalid_client", "No app is registered with this client_id.");
}

function readRedirect(uri: string, client: OAuthClient): string {
  if (client.redirectUris.includes(uri)) return uri;
  const description = `This redirect_uri is not one that ${client.name} has registered.`;
  throw new OAuthRefusal(400, "redirect_uri_mismatch", description);
}

function readResponseType(type: string): void {
  if (type === "code") return;
  const description = "Only response_type=code is answered here.";
  throw new OAuthRefusal(400, "unsupported_response_type", description);
}

function readAsked(text: string): readonly string[] {
  const requestedScopes = readScopeList(text);
  if (requestedScopes !== undefined) return requestedScopes;
  throw new OAuthRefusal(400, "invalid_scope", "One of the scopes does not exist.");
}

/** A challenge without a method is a plain one (RFC 7636, 4.3). */
function readChallenge(
  text: string | undefined,
  method: string | undefined,
): PkceChallenge | undefined {
  if (text === undefined && method === undefined) return undefined;
  if (text === undefined) throw invalid("code_challenge_method comes without code_challenge.");
  if (method === "S256") {
    if (/^[\w-]{43}$/.test(text)) return { method, text };
    throw invalid("code_challenge is not a SHA-256 in base64url.");
  }
  if (method !== undefined && method !== "plain") {
    throw invalid("code_challenge_method is one of S256, plain.");
  }
  if (isVerifier(text)) return { method: "plain", text };
  throw invalid("code_challenge is not a code verifier.");
}

/** What a verifier looks like (RFC 7636, 4.1). */
export function isVerifier(text: string): boolean {
  return /^[\w.~-]{43,128}$/.test(text);
}

function readPrompt(text: string | undefined): readonly string[] {
  const words = (text ?? "").split(" ").filter((each) => each !== "");
  if (words.some((each) => !prompts.includes(each))) throw invalid("prompt has an unknown value.");
  if (words.includes("none") && words.length > 1) throw invalid("prompt=none stands alone.");
  return words;
}

function checkChoice(
  allowed: readonly string[],
  values: ReadonlyMap<string, string>,
  name: string,
): string | undefined {
  const value = values.get(name);
  if (value === undefined || allowed.includes(value)) return value;
  throw invalid(`${name} is one of ${allowed.join(", ")}.`);
}

function invalid(description: string): OAuthRefusal {
  return new OAuthRefusal(400, "invalid_request", description);
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
