import type { APIEmbed, APIEmbedField, APIMessage } from "discord-api-types/v10";
import { html, nothing, type TemplateResult } from "lit";
import { markdown, titleMarkdown } from "../markdown/render.ts";
import { messageTime } from "../markdown/time.ts";
import { pageNow } from "../state/page-clock.ts";
import { safeAddress, shownMediaAddress } from "./address.ts";
import type { MessageContext } from "./message-context.ts";
import { pictureGrid, tile, toShownPicture } from "./pictures.ts";

/** Up to this many pictures of embeds with one address are shown as one gallery. */
const maxGallery = 4;

/** A message's embeds; those that share an address and bring only a picture join the first. */
export function embeds(scene: MessageContext): readonly TemplateResult[] {
  const { embeds } = scene.message;
  const isFollower = (one: APIEmbed, at: number) =>
    one.url !== undefined && embeds.findIndex(({ url }) => url === one.url) < at;
  return embeds.flatMap((one, at) => {
    if (isFollower(one, at)) return [];
    const joined = embeds.filter(
      (other, index) => other.url === one.url && isFollower(other, index),
    );
    return [embed(one, joined, scene)];
  });
}

function embed(one: APIEmbed, joined: readonly APIEmbed[], scene: MessageContext): TemplateResult {
  const { message, names } = scene;
  const stripe = one.color === undefined ? "" : `border-left-color: ${colour(one.color)}`;
  const images = [one, ...joined].flatMap(({ image }) =>
    image ? [toShownPicture(image, message)] : [],
  );
  return html`<article class="embed" .style=${stripe}>
    <div class="embed-grid ${one.thumbnail ? "with-thumbnail" : ""}">
      <div class="embed-main">
        ${one.provider?.name ? html`<div class="embed-provider">${one.provider.name}</div>` : nothing}
        ${one.author ? author(one.author, message) : nothing}
        ${one.title ? title(one, scene) : nothing}
        ${one.description ? html`<div class="embed-description">${markdown(one.description, names)}</div>` : nothing}
        ${one.fields?.length ? fields(one.fields, scene) : nothing}
      </div>
      ${one.thumbnail ? html`<div class="embed-thumbnail">${tile([toShownPicture(one.thumbnail, message)], 0, "thumbnail")}</div>` : nothing}
    </div>
    ${images.length > 0 ? html`<div class="embed-image">${pictureGrid(images.slice(0, maxGallery))}</div>` : nothing}
    ${one.video?.url && !one.image ? html`<video class="player" src=${safeAddress(one.video.url)} controls></video>` : nothing}
    ${one.footer || one.timestamp ? footer(one, message) : nothing}
  </article>`;
}

function author(one: NonNullable<APIEmbed["author"]>, message: APIMessage): TemplateResult {
  const icon = shownMediaAddress(one.icon_url, message);
  const url = safeAddress(one.url);
  return html`<div class="embed-author">
    ${icon ? html`<img src=${icon} alt="" />` : nothing}
    ${url ? html`<a href=${url} target="_blank" rel="noopener noreferrer">${one.name}</a>` : html`<span>${one.name}</span>`}
  </div>`;
}

function title(one: APIEmbed, { names }: MessageContext): TemplateResult {
  const words = titleMarkdown(one.title ?? "", names);
  const url = safeAddress(one.url);
  if (!url) return html`<div class="embed-title">${words}</div>`;
  return html`<div class="embed-title">
    <a class="md-link" href=${url} target="_blank" rel="noopener noreferrer">${words}</a>
  </div>`;
}

/** Up to three inline fields share a row; a field that is not inline has its own. */
function fields(all: readonly APIEmbedField[], { names }: MessageContext): TemplateResult {
  const rows: APIEmbedField[][] = [];
  for (const field of all) {
    const row = rows.at(-1);
    if (field.inline && row?.[0]?.inline && row.length < 3) row.push(field);
    else rows.push([field]);
  }
  return html`<div class="embed-fields">
    ${rows.map(
      (row) => html`<div class="embed-row" data-columns=${row.length}>
        ${row.map(
          ({ name, value }) => html`<div class="embed-field">
            <div class="embed-field-name">${titleMarkdown(name, names)}</div>
            ${markdown(value, names)}
          </div>`,
        )}
      </div>`,
    )}
  </div>`;
}

function footer(one: APIEmbed, message: APIMessage): TemplateResult {
  const icon = shownMediaAddress(one.footer?.icon_url, message);
  const time = one.timestamp ? messageTime(one.timestamp, pageNow()) : undefined;
  const words = [one.footer?.text, time].filter((part) => part !== undefined).join(" • ");
  return html`<div class="embed-footer">
    ${icon ? html`<img src=${icon} alt="" />` : nothing}<span>${words}</span>
  </div>`;
}

export function colour(value: number): string {
  return `#${value.toString(16).padStart(6, "0")}`;
}
