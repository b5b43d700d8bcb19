import type { APIUser } from "discord-api-types/v10";
import { html, type TemplateResult } from "lit";
import { safeAddress } from "../content/address.ts";
import { shownName } from "../state/names.ts";

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
