import "@skyra/discord-components-core/discord-verified-author-tag.js";
import type { APIUser } from "discord-api-types/v10";
import { html, nothing, type TemplateResult } from "lit";
import type { HelloEvent } from "../../protocol.ts";
import { colour } from "../content/embed.ts";
import { shownName } from "../state/names.ts";

/** A name in its role's colour, with the APP tag where it is a bot's. */
export function author(user: APIUser, hello: HelloEvent | undefined): TemplateResult {
  const role = hello?.people.find((person) => person.user.id === user.id)?.role;
  const style = role?.color ? `color: ${colour(role.color)}` : "";
  return html`<span class="author" .style=${style}>${shownName(user)}</span>${
    user.bot ? html`<discord-verified-author-tag></discord-verified-author-tag>` : nothing
  }`;
}
