import { html, nothing, type TemplateResult } from "lit";
import type { HelloEvent, ShownExpression } from "../../protocol.ts";
import { emojiAddress, stickerAddress } from "../content/address.ts";

/** The server's own emoji and stickers, below its channels; nothing while there are none. */
export function expressions(
  own: HelloEvent["expressions"] | undefined,
): readonly (TemplateResult | typeof nothing)[] {
  if (own === undefined) return [];
  return [
    shelf("Emoji", own.emojis, ({ id, name }) => {
      return html`<img src=${emojiAddress(id)} alt=":${name}:" title=":${name}:" width="32" height="32" />`;
    }),
    shelf("Stickers", own.stickers, ({ id, name }) => {
      return html`<img src=${stickerAddress(id)} alt=${name} title=${name} width="64" height="64" />`;
    }),
  ];
}

function shelf(
  title: string,
  all: readonly ShownExpression[],
  picture: (one: ShownExpression) => TemplateResult,
): TemplateResult | typeof nothing {
  if (all.length === 0) return nothing;
  return html`<section class="shelf" aria-label=${title}>
    <div class="menu-title">${title}</div>
    <ul>${all.map((one) => html`<li>${picture(one)}</li>`)}</ul>
  </section>`;
}
