import { html } from "hono/html";
import type { OAuthRefusal } from "../../oauth-refusal.ts";
import { type CastMember, personNames } from "../cast.ts";
import type { World } from "../world.ts";
import type { Authorization } from "./registration.ts";

type Html = ReturnType<typeof html>;

export const stylePath = "/oauth2/style.css";

/** The frame of every page here: no script, one style sheet of our own. */
function toPage(title: string, content: Html): Html {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="stylesheet" href="${stylePath}">
  </head>
  <body>
    <main>${content}</main>
    <p class="note">A stand-in on this computer. No real account is involved.</p>
  </body>
</html>`;
}

/**
 * It loads nothing but its style and avatars, stands in no frame, and is never kept. Its form may go to itself and on
 * to the address given, as browsers hold a redirect after a form to this list too.
 */
export function pageHeaders(formGoesTo?: string): Readonly<Record<string, string>> {
  const targets = formGoesTo === undefined ? "'none'" : `'self' ${new URL(formGoesTo).origin}`;
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    `form-action ${targets}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    "Content-Security-Policy": policy.join("; "),
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
  };
}

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
  );
}
