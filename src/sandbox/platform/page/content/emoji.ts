import type { APIMessageComponentEmoji } from "discord-api-types/v10";
import { html, nothing, type TemplateResult } from "lit";
import { emojiAddress } from "./address.ts";

/** A unicode emoji as it is, a custom one as its picture. */
export function emoji(one: APIMessageComponentEmoji | undefined): TemplateResult | typeof nothing {
  if (!one?.name) return nothing;
  if (one.id) return html`<img class="md-emoji" src=${emojiAddress(one.id)} alt="" />`;
  return html`<span class="emoji" aria-hidden="true">${one.name}</span>`;
}
