import { html } from "hono/html";
import type { OAuthRefusal } from "../../oauth-refusal.ts";
import { type Html, toPage } from "./page.ts";

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
  );
}
