import type { APIMessageComponentEmoji } from "discord-api-types/v10";
import { html, nothing, type TemplateResult } from "lit";

/** A unicode emoji as it is; a custom one by its name, as the sandbox has no emoji host. */
export function emoji(one: APIMessageComponentEmoji | undefined): TemplateResult | typeof nothing {
  if (!one?.name) return nothing;
  return html`<span class="emoji" aria-hidden="true">${one.id ? `:${one.name}:` : one.name}</span>`;
}
