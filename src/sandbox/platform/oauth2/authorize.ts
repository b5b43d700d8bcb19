import { need, OAuthRefusal, readOnce } from "../../oauth-request.ts";
import { personNames } from "../cast.ts";
import type { World } from "../world.ts";
import type { Authorization, Registration } from "./registration.ts";

/** What an app may ask for here: this one wants to know who somebody is, and nothing more. */
const knownScopes: readonly string[] = ["identify"];

/** Ends a request with the person's browser at the app again, the error in its address. */
export class SentBack extends Error {
  readonly location: string;

  constructor(location: string) {
    super("The request was sent back.");
    this.location = location;
  }
}

/**
 * Reads the parameters of the authorisation page.
 * @throws OAuthRefusal for a page, while nobody may be sent anywhere yet; SentBack for what is wrong beside.
 */
export function readAuthorization(
  search: URLSearchParams,
  world: World,
  { redirectUris }: Registration,
): Authorization {
  const values = readOnce(search);
  if (need(values, "client_id") !== world.cast.bot.id) {
    throw new OAuthRefusal(400, "invalid_client", "Unknown Application");
  }
  const redirectUri = need(values, "redirect_uri");
  if (!redirectUris.has(redirectUri)) {
    throw new OAuthRefusal(400, "invalid_redirect", "Invalid OAuth2 redirect_uri");
  }
  const state = values.get("state");
  const back = (error: string, description: string): SentBack =>
    new SentBack(
      answerTo(world, { redirectUri, state }, { error, error_description: description }),
    );

  if (values.get("response_type") !== "code") {
    throw back("unsupported_response_type", "The only response_type here is code.");
  }
  const scopes = (values.get("scope") ?? "").split(" ").filter((each) => each !== "");
  if (scopes.length === 0 || scopes.some((each) => !knownScopes.includes(each))) {
    throw back("invalid_scope", "The requested scope is invalid, unknown, or malformed.");
  }
  const challenge = values.get("code_challenge");
  const isS256 = values.get("code_challenge_method") === "S256";
  if (challenge !== undefined && !(isS256 && /^[\w-]{43}$/.test(challenge))) {
    throw back("invalid_request", "The code_challenge is not a SHA-256 in base64url.");
  }
  return { redirectUri, scopes, state, challenge };
}

/** Where the person's browser goes with the answer; `iss` says whose answer it is (RFC 9207). */
function answerTo(
  { origin }: World,
  { redirectUri, state }: Pick<Authorization, "redirectUri" | "state">,
  answer: Readonly<Record<string, string>>,
): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) url.searchParams.append(name, value);
  if (state !== undefined) url.searchParams.append("state", state);
  url.searchParams.append("iss", origin);
  return url.href;
}

/** Takes the person's answer; gives the address their browser goes to next. */
export function decide(form: URLSearchParams, world: World, registration: Registration): string {
  const authorization = registration.questions.take(form.get("request") ?? "");
  if (authorization === undefined) {
    throw new OAuthRefusal(400, "invalid_request", "This was answered already, or it is too old.");
  }
  if (form.get("decision") !== "authorize") {
    const words = "The resource owner or authorization server denied the request";
    const answer = { error: "access_denied", error_description: words };
    return answerTo(world, authorization, answer);
  }
  const person = personNames.find((name) => name === form.get("person"));
  if (person === undefined) {
    throw new OAuthRefusal(400, "invalid_request", "Nobody was chosen.");
  }
  const code = registration.codes.put({ ...authorization, person });
  return answerTo(world, authorization, { code });
}
