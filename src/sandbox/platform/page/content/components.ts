import {
  type APIButtonComponent,
  type APIComponentInContainer,
  type APIFileComponent,
  type APIMediaGalleryComponent,
  type APIMessageTopLevelComponent,
  type APISectionComponent,
  type APIThumbnailComponent,
  ButtonStyle,
  ComponentType,
  SeparatorSpacingSize,
} from "discord-api-types/v10";
import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { markdown } from "../markdown/render.ts";
import { findAttachment, readFileName, safeAddress, shownMediaAddress } from "./address.ts";
import { fileCard } from "./attachments.ts";
import { colour } from "./embed.ts";
import { emojiElement, icons } from "./icons.ts";
import { isComponentBusy, type MessageContext } from "./message-context.ts";
import { pictureGrid, type ShownPicture, tile, toShownPicture } from "./pictures.ts";
import { select } from "./select.ts";

type ShownComponent = APIMessageTopLevelComponent | APIComponentInContainer;

/**
 * Components one below the other. A redrawn message keeps those that are still on it, wherever they stand now, so that
 * an open select stays open.
 */
export function components(all: readonly ShownComponent[], scene: MessageContext): unknown {
  return repeat(all, componentKey, (one) => component(one, scene));
}

interface KeyedComponent {
  readonly custom_id?: string;
  readonly components?: readonly KeyedComponent[];
}

/** The first id of the bot's within, or else the place. */
function componentKey(one: object, index: number): string {
  const ids = ({ custom_id: id, components = [] }: KeyedComponent): readonly string[] =>
    id === undefined ? components.flatMap(ids) : [id];
  return ids(one as KeyedComponent)[0] ?? `at ${index}`;
}

/** One component of a message, of the old kind or of V2. */
function component(one: ShownComponent, scene: MessageContext): TemplateResult {
  switch (one.type) {
    case ComponentType.ActionRow:
      return html`<div class="action-row">
        ${repeat(one.components, componentKey, (inner) => (inner.type === ComponentType.Button ? button(inner, scene) : select(inner, scene)))}
      </div>`;
    case ComponentType.TextDisplay:
      return html`<div class="text-display">${markdown(one.content, scene.names)}</div>`;
    case ComponentType.Section:
      return section(one, scene);
    case ComponentType.MediaGallery:
      return gallery(one, scene);
    case ComponentType.File:
      return file(one, scene);
    case ComponentType.Separator:
      return html`<hr
        class="separator ${one.divider === false ? "blank" : ""} ${one.spacing === SeparatorSpacingSize.Large ? "large" : ""}"
      />`;
    case ComponentType.Container:
      return html`<div
        class="container ${one.spoiler ? "spoiler" : ""}"
        .style=${one.accent_color == null ? "" : `border-left-color: ${colour(one.accent_color)}`}
        data-accent=${one.accent_color ?? "none"}
      >
        ${one.spoiler ? cover() : nothing} ${components(one.components, scene)}
      </div>`;
    default:
      return html``;
  }
}

function section(one: APISectionComponent, scene: MessageContext): TemplateResult {
  const { accessory } = one;
  return html`<div class="section">
    <div class="section-text">
      ${one.components.map((text) => markdown(text.content, scene.names))}
    </div>
    <div class="section-accessory">
      ${accessory.type === ComponentType.Button ? button(accessory, scene) : tile([picture(accessory, scene)], 0, "thumbnail")}
    </div>
  </div>`;
}

function gallery(one: APIMediaGalleryComponent, scene: MessageContext): TemplateResult {
  const isVideo = /\.(?:mp4|webm|mov)$/i;
  const videos = one.items.filter(({ media }) => isVideo.test(readFileName(media.url)));
  const pictures = one.items.filter((item) => !videos.includes(item));
  return html`${pictures.length > 0 ? pictureGrid(pictures.map((item) => picture(item, scene))) : nothing}
  ${videos.map(({ media }) => html`<video class="player" src=${shownMediaAddress(media.url, scene.message)} controls></video>`)}`;
}

function file({ file: { url }, spoiler }: APIFileComponent, scene: MessageContext): TemplateResult {
  const attachment = findAttachment(url, scene.message);
  const card = fileCard({
    url: shownMediaAddress(url, scene.message),
    name: attachment?.filename ?? readFileName(url),
    size: attachment?.size,
  });
  return spoiler ? html`<div class="covered spoiler">${cover()} ${card}</div>` : card;
}

type ComponentMedia = Pick<APIThumbnailComponent, "media" | "description" | "spoiler">;

function picture(
  { media, description, spoiler }: ComponentMedia,
  { message }: MessageContext,
): ShownPicture {
  const shown = toShownPicture(media, message);
  return { ...shown, alt: description ?? shown.alt, isSpoiler: spoiler };
}

function cover(): TemplateResult {
  return html`<button
    type="button"
    class="cover"
    @click=${({ currentTarget }: Event) => {
      (currentTarget as HTMLElement).parentElement?.classList.remove("spoiler");
    }}
  >Spoiler</button>`;
}

const classes: Readonly<Record<ButtonStyle, string>> = {
  [ButtonStyle.Primary]: "primary",
  [ButtonStyle.Secondary]: "secondary",
  [ButtonStyle.Success]: "success",
  [ButtonStyle.Danger]: "danger",
  [ButtonStyle.Link]: "secondary",
  [ButtonStyle.Premium]: "primary",
};

function button(one: APIButtonComponent, scene: MessageContext): TemplateResult {
  if (one.style === ButtonStyle.Premium) return html``;
  const face = html`${emojiElement(one.emoji)}${one.label ? html`<span class="label">${one.label}</span>` : nothing}`;
  const name = one.label ?? one.emoji?.name ?? "Button";
  if (one.style === ButtonStyle.Link) {
    const url = safeAddress(one.url);
    const linkFace = html`<span class="button-face">${face}${icons.open}</span>`;
    if (one.disabled || !url)
      return html`<button type="button" class="button secondary" disabled aria-label=${name}>${linkFace}</button>`;
    return html`<a class="button secondary" href=${url} target="_blank" rel="noopener noreferrer" aria-label=${name}>${linkFace}</a>`;
  }
  const busy = isComponentBusy(scene, one.custom_id);
  return html`<button
    type="button"
    class="button ${classes[one.style]} ${busy ? "busy" : ""}"
    aria-label=${name}
    aria-busy=${busy}
    data-custom-id=${one.custom_id}
    ?disabled=${one.disabled}
    @click=${() => busy || scene.session.press(scene.message, one.custom_id)}
  >
    <span class="button-face">${face}</span>
    ${busy ? html`<span class="dots" aria-hidden="true"><i></i><i></i><i></i></span>` : nothing}
  </button>`;
}
