import { type APIButtonComponent, ButtonStyle } from "discord-api-types/v10";
import { html, nothing, type TemplateResult } from "lit";
import { safeAddress } from "./address.ts";
import { emoji } from "./emoji.ts";
import { icons } from "./icons.ts";
import { isBusy, type Scene } from "./scene.ts";

const classes: Readonly<Record<ButtonStyle, string>> = {
  [ButtonStyle.Primary]: "primary",
  [ButtonStyle.Secondary]: "secondary",
  [ButtonStyle.Success]: "success",
  [ButtonStyle.Danger]: "danger",
  [ButtonStyle.Link]: "secondary",
  [ButtonStyle.Premium]: "primary",
};

export function button(one: APIButtonComponent, scene: Scene): TemplateResult {
  if (one.style === ButtonStyle.Premium) return html``;
  const face = html`${emoji(one.emoji)}${one.label ? html`<span class="label">${one.label}</span>` : nothing}`;
  const name = one.label ?? one.emoji?.name ?? "Button";
  if (one.style === ButtonStyle.Link) return link(safeAddress(one.url), { face, name, one });
  const busy = isBusy(scene, one.custom_id);
  return html`<button
    type="button"
    class="button ${classes[one.style]} ${busy ? "busy" : ""}"
    aria-label=${name}
    aria-busy=${busy}
    data-custom-id=${one.custom_id}
    ?disabled=${one.disabled}
    @click=${() => busy || scene.desk.press(scene.message, one.custom_id)}
  >
    <span class="button-face">${face}</span>
    ${busy ? html`<span class="dots" aria-hidden="true"><i></i><i></i><i></i></span>` : nothing}
  </button>`;
}

interface LinkParts {
  readonly face: TemplateResult;
  readonly name: string;
  readonly one: APIButtonComponent;
}

function link(url: string, { face, name, one }: LinkParts): TemplateResult {
  if (one.disabled || !url)
    return html`<button type="button" class="button secondary" disabled aria-label=${name}><span class="button-face">${face}${icons.open}</span></button>`;
  return html`<a class="button secondary" href=${url} target="_blank" rel="noopener noreferrer" aria-label=${name}>
    <span class="button-face">${face}${icons.open}</span>
  </a>`;
}
