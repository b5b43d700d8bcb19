import type { APIMessage } from "discord-api-types/v10";
import { html, nothing, type TemplateResult } from "lit";
import { findAttachment, readFileName, shownMediaAddress } from "./address.ts";

/** A picture as shown, with what the large view says about it. */
export interface ShownPicture {
  readonly url: string;
  readonly name: string;
  readonly alt?: string | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly size?: number | undefined;
  readonly isSpoiler?: boolean | undefined;
}

/** Sent when a picture is to be seen large. */
export interface ViewRequest {
  readonly pictures: readonly ShownPicture[];
  readonly index: number;
}

/** What a message names, with what its attachment says about it. */
export function toShownPicture(
  { url, width, height }: { url: string; width?: number | null; height?: number | null },
  message: APIMessage,
): ShownPicture {
  const attachment = findAttachment(url, message);
  return {
    url: shownMediaAddress(url, message),
    name: attachment?.filename ?? readFileName(url),
    alt: attachment?.description,
    width: width ?? attachment?.width ?? undefined,
    height: height ?? attachment?.height ?? undefined,
    size: attachment?.size,
  };
}

/** Largest picture beside text: Discord's own 550 x 350. */
const maxWidth = 550;
const maxHeight = 350;

/** One picture in its own shape, several as Discord tiles them. */
export function pictureGrid(pictures: readonly ShownPicture[]): TemplateResult {
  const [first] = pictures;
  if (first && pictures.length === 1) {
    const { width, height } = first;
    if (!width || !height) {
      return html`<div class="picture-single">${tile(pictures, 0, "loose")}</div>`;
    }
    const scale = Math.min(1, maxWidth / width, maxHeight / height);
    const shape = `width: ${Math.round(width * scale)}px; aspect-ratio: ${width} / ${height}`;
    return html`<div class="picture-single" .style=${shape}>${tile(pictures, 0, "fitted")}</div>`;
  }
  return html`<div class="pictures" data-count=${Math.min(pictures.length, 10)}>
    ${pictures.map((_, index) => tile(pictures, index, "tile"))}
  </div>`;
}

export function tile(
  pictures: readonly ShownPicture[],
  index: number,
  shape: "tile" | "loose" | "fitted" | "thumbnail",
): TemplateResult {
  const picture = pictures[index];
  if (!picture) return html``;
  const label = picture.alt || picture.name;
  return html`<button
    type="button"
    class="picture ${shape} ${picture.isSpoiler ? "spoiler" : ""}"
    aria-label=${picture.isSpoiler ? "Spoiler, press to show" : `Open picture: ${label}`}
    data-picture=${picture.name}
    @click=${(event: MouseEvent) => openOrReveal(event, { pictures, index })}
  >
    <img src=${picture.url} alt=${picture.alt ?? ""} loading="lazy" draggable="false" />
    ${picture.isSpoiler ? html`<span class="spoiler-tag">Spoiler</span>` : nothing}
  </button>`;
}

function openOrReveal(event: MouseEvent, detail: ViewRequest): void {
  const button = event.currentTarget as HTMLElement;
  if (button.matches(".spoiler:not(.shown)")) {
    button.classList.add("shown");
    button.setAttribute("aria-label", `Open picture: ${detail.pictures[detail.index]?.name ?? ""}`);
    return;
  }
  button.dispatchEvent(new CustomEvent("page-view", { detail, bubbles: true }));
}
