import { html } from "hono/html";
import { type PageHtml, toPage } from "../../oauth-page.ts";
import { OAuthError, readParameters, requireParam } from "../../oauth-request.ts";
import { personNames, type SampleMember } from "../sample-guild.ts";
import type { PlatformState } from "../state.ts";
import { codeLifeMs, type SignInRequest } from "./registration.ts";

/** What an app may ask for here: this one wants to know who somebody is, and nothing more. */
const knownScopes: readonly string[] = ["identify"];

/** Ends a request by redirecting the browser to the app, with the error in the address. */
export class ErrorRedirect extends Error {
  readonly location: string;

  constructor(location: string) {
    super("The request was sent back.");
    this.location = location;
  }
}

/**
 * Reads the parameters of the authorisation page.
 * @throws OAuthError shown on a page while the redirect address is unchecked; ErrorRedirect for later errors.
 */
export function readSignInRequest(search: URLSearchParams, platform: PlatformState): SignInRequest {
  const values = readParameters(search);
  if (requireParam(values, "client_id") !== platform.guild.bot.id) {
    throw new OAuthError(400, "invalid_client", "Unknown Application");
  }
  const redirectUri = requireParam(values, "redirect_uri");
  if (!platform.registration.redirectUris.has(redirectUri)) {
    throw new OAuthError(400, "invalid_redirect", "Invalid OAuth2 redirect_uri");
  }
  const state = values.get("state");
  const back = (error: string, description: string): ErrorRedirect =>
    new ErrorRedirect(
      answerTo(platform, { redirectUri, state }, { error, error_description: description }),
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
  { origin }: PlatformState,
  { redirectUri, state }: Pick<SignInRequest, "redirectUri" | "state">,
  answer: Readonly<Record<string, string>>,
): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) url.searchParams.append(name, value);
  if (state !== undefined) url.searchParams.append("state", state);
  url.searchParams.append("iss", origin);
  return url.href;
}

/** Takes the person's answer; gives the address their browser goes to next. */
export function answerAuthorization(form: URLSearchParams, platform: PlatformState): string {
  const { questions, codes } = platform.registration;
  const handle = form.get("request") ?? "";
  const authorization = questions.find(handle)?.request;
  questions.drop(handle);
  if (authorization === undefined) {
    throw new OAuthError(400, "invalid_request", "This was answered already, or it is too old.");
  }
  if (form.get("decision") !== "authorize") {
    const words = "The resource owner or authorization server denied the request";
    const answer = { error: "access_denied", error_description: words };
    return answerTo(platform, authorization, answer);
  }
  const person = personNames.find((name) => name === form.get("person"));
  if (person === undefined) {
    throw new OAuthError(400, "invalid_request", "Nobody was chosen.");
  }
  const expiresAt = platform.now() + codeLifeMs;
  const code = codes.add("", { ...authorization, person, expiresAt });
  return answerTo(platform, authorization, { code });
}

export const stylePath = "/oauth2/style.css";

/** Asks who is there, and whether the app may know it. `handle` is what the form gives back. */
export function consentPage(state: PlatformState, signIn: SignInRequest, handle: string): PageHtml {
  const { bot } = state.guild;
  const host = new URL(signIn.redirectUri).origin;
  return toPage(
    `Authorize access to your account`,
    html`
      <header>
        <img src="/avatars/${bot.id}/${bot.avatar}.png" alt="" width="80" height="80">
        <p class="external">An external application</p>
        <h1>${bot.username}</h1>
        <p class="external">wants to access your account</p>
      </header>
      <form method="post" action="/oauth2/authorize">
        <input type="hidden" name="request" value="${handle}">
        <fieldset>
          <legend>Who are you here?</legend>
          ${personNames.map((name, index) => choice(state.person(name), index === 0))}
        </fieldset>
        <h2>This will allow the developer of ${bot.username} to:</h2>
        <ul>
          <li>Access your username, avatar, and banner</li>
        </ul>
        <p class="redirect">Once you authorize, you will be redirected outside to <b>${host}</b></p>
        <div class="actions">
          <button name="decision" value="authorize" class="primary">Authorize</button>
          <button name="decision" value="cancel" formnovalidate>Cancel</button>
        </div>
      </form>
    `,
    stylePath,
  );
}

function choice({ name, user, role }: SampleMember, isChosen: boolean): PageHtml {
  return html`
    <label class="choice">
      <input type="radio" name="person" value="${name}" required ${isChosen ? "checked" : ""}>
      <img src="/avatars/${user.id}/${user.avatar}.png" alt="" width="32" height="32">
      <span class="words"><b>${user.global_name}</b><small>${role.name}</small></span>
    </label>
  `;
}

/** Shows what is wrong with a request, for the person and for the app's developers. */
export function errorPage({ message, error }: OAuthError): PageHtml {
  return toPage(
    "Invalid request",
    html`
      <header>
        <h1>${message}</h1>
        <p>Nothing was granted. Please close this tab, and tell whoever runs the app.</p>
        <p class="code">${error}</p>
      </header>
    `,
    stylePath,
  );
}
