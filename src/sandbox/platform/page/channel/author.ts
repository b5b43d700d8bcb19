import type { APIUser } from "discord-api-types/v10";
import { html, nothing, type TemplateResult } from "lit";
import type { HelloEvent } from "../../protocol.ts";
import { safeAddress } from "../content/address.ts";
import { colour } from "../content/embed.ts";
import { shownName } from "../state/names.ts";
import "@skyra/discord-components-core/discord-verified-author-tag.js";

/** A name in its role's colour, with the APP tag where it is a bot's. */
export function author(user: APIUser, hello: HelloEvent | undefined): TemplateResult {
  const role = hello?.people.find((person) => person.user.id === user.id)?.role;
  const style = role?.color ? `color: ${colour(role.color)}` : "";
  return html`<span class="author" .style=${style}>${shownName(user)}</span>${
    user.bot ? html`<discord-verified-author-tag></discord-verified-author-tag>` : nothing
  }`;
}

const colours = ["#5865f2", "#3ba55c", "#d9822b", "#c9417d", "#2f8fb3", "#8b5cd6"];

/** A person's picture, or their initial on a colour that stays theirs. */
export function avatar(user: APIUser, size: "small" | "large" = "large"): TemplateResult {
  const name = shownName(user);
  const address = user.avatar?.includes("/") ? safeAddress(user.avatar) : "";
  if (address) return html`<img class="avatar ${size}" src=${address} alt="" />`;
  const colour = colours[Number(BigInt(user.id) % BigInt(colours.length))] ?? colours[0];
  return html`<span class="avatar ${size}" .style=${`background: ${colour}`} aria-hidden="true">
    ${name.slice(0, 1).toUpperCase()}
  </span>`;
}
