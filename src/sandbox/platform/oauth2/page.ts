import { html } from "hono/html";
import { type Html, toPage } from "../../oauth-page.ts";
import type { OAuthRefusal } from "../../oauth-request.ts";
import { type CastMember, personNames } from "../cast.ts";
import type { World } from "../world.ts";
import type { Authorization } from "./registration.ts";

export const stylePath = "/oauth2/style.css";

/** Asks who is there, and whether the app may know it. `handle` is what the form gives back. */
export function consentPage(world: World, asked: Authorization, handle: string): Html {
  const { bot } = world.cast;
  const host = new URL(asked.redirectUri).origin;
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
          ${personNames.map((name, index) => choice(world.person(name), index === 0))}
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

function choice({ name, user, role }: CastMember, isChosen: boolean): Html {
  return html`
    <label class="choice">
      <input type="radio" name="person" value="${name}" required ${isChosen ? "checked" : ""}>
      <img src="/avatars/${user.id}/${user.avatar}.png" alt="" width="32" height="32">
      <span class="words"><b>${user.global_name}</b><small>${role.name}</small></span>
    </label>
  `;
}

/** Says what is wrong with a request, to the person and to whoever builds the app. */
export function refusalPage({ message, error }: OAuthRefusal): Html {
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
