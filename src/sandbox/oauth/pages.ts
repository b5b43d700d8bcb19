import { html } from "hono/html";
import { type Html, toPage } from "../oauth-page.ts";
import type { OAuthRefusal } from "../oauth-request.ts";
import type { Authorization } from "./authorization.ts";
import { scopes, signInScopes } from "./scopes.ts";
import type { Account } from "./tokens.ts";

export const stylePath = "/o/style.css";

interface Question {
  readonly authorization: Authorization;
  readonly accounts: readonly Account[];
  /** What the form gives back to say which question it answers. */
  readonly handle: string;
}

/** Asks which account, and what the app may do with it. */
export function consentPage({ authorization, accounts, handle }: Question): Html {
  const { client, redirectUri, loginHint } = authorization;
  const hinted = accounts.find(({ id, email }) => loginHint === id || loginHint === email);
  const chosen = hinted ?? accounts[0];
  return toPage(
    `Allow ${client.name}?`,
    html`
      <header>
        ${sign(client.name, 152)}
        <h1>${client.name} asks for access to a channel</h1>
        <p>Your answer goes to <b>${new URL(redirectUri).host}</b>.</p>
      </header>
      <form method="post" action="/o/oauth2/v2/auth">
        <input type="hidden" name="request" value="${handle}">
        <fieldset>
          <legend>Which one?</legend>
          ${accounts.map((account) => accountChoice(account, account === chosen))}
        </fieldset>
        <fieldset>
          <legend>What may ${client.name} do?</legend>
          ${authorization.scopes.map(scopeChoice)}
        </fieldset>
        <div class="actions">
          <button name="decision" value="allow" class="primary">Allow</button>
          <button name="decision" value="cancel" formnovalidate>Cancel</button>
        </div>
      </form>
    `,
    stylePath,
  );
}

function accountChoice(account: Account, isChosen: boolean): Html {
  const { id, name, email, channelId, hue } = account;
  return html`
    <label class="choice">
      <input type="radio" name="account" value="${id}" required ${isChosen ? "checked" : ""}>
      ${sign(name, hue)}
      <span class="words">
        <b>${name}</b>
        <small>${channelId === undefined ? `${email}, has no channel` : email}</small>
      </span>
    </label>
  `;
}

function scopeChoice(scope: string): Html {
  const given = signInScopes[scope];
  if (given !== undefined) {
    return html`
      <p class="choice">
        <span class="words">
          <b>${given.title}</b>
          <small>${given.detail}</small>
        </span>
      </p>
    `;
  }
  const { title = scope, detail = "" } = scopes[scope] ?? {};
  return html`
    <label class="choice">
      <input type="checkbox" name="scope" value="${scope}" checked>
      <span class="words">
        <b>${title}</b>
        <small>${detail}</small>
      </span>
    </label>
  `;
}

/** A coloured disc with the first letter; an inline style would need a weaker policy. */
function sign(name: string, hue: number): Html {
  const [letter = ""] = name.trim().toUpperCase();
  return html`
    <svg class="sign" viewBox="0 0 40 40" aria-hidden="true">
      <circle cx="20" cy="20" r="20" fill="hsl(${hue} 45% 38%)" />
      <text x="20" y="27" text-anchor="middle" font-size="19" fill="#fff">${letter}</text>
    </svg>
  `;
}

/** Says what is wrong with a request, to the person and to whoever builds the app. */
export function refusalPage({ status, error, message }: OAuthRefusal): Html {
  return toPage(
    "Access blocked",
    html`
      <header>
        <h1>Access blocked: this request can't be answered</h1>
        <p>${message}</p>
        <p>Nothing has changed. You can close this page.</p>
        <p class="code">Error ${status}: ${error}</p>
      </header>
    `,
    stylePath,
  );
}
