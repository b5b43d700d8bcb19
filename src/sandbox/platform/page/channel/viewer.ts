import { html, nothing, type TemplateResult } from "lit";
import { sizeText } from "../content/address.ts";
import { icons } from "../content/icons.ts";
import type { ViewRequest } from "../content/pictures.ts";
import { PageElement } from "../element.ts";

/** `<page-viewer>`: a picture seen large, on a checkerboard so that what is cut out shows as such. */
export class PageViewer extends PageElement {
  static override properties = {
    request: { attribute: false },
    natural: { state: true },
  };
  declare request: ViewRequest | undefined;
  declare natural: string;

  constructor() {
    super();
    this.natural = "";
  }

  open(request: ViewRequest): void {
    this.request = request;
  }

  override updated(): void {
    const dialog = this.querySelector("dialog");
    if (dialog && !dialog.open) dialog.showModal();
  }

  override render(): TemplateResult {
    const { request } = this;
    const picture = request?.pictures[request.index];
    if (!request || !picture) return html``;
    const several = request.pictures.length > 1;
    const facts = [picture.name, this.natural, picture.size ? sizeText(picture.size) : ""];
    return html`<dialog
      class="viewer"
      aria-label="Picture ${picture.name}"
      @close=${this.#onClose}
      @click=${({ target }: MouseEvent) => {
        if ((target as HTMLElement).matches("dialog, .viewer-stage")) this.close();
      }}
      @keydown=${({ key }: KeyboardEvent) => {
        if (key === "ArrowLeft") this.#move(-1);
        if (key === "ArrowRight") this.#move(1);
      }}
    >
      <div class="viewer-bar">
        <span class="viewer-facts">${facts.filter(Boolean).join(" · ")}</span>
        <a class="icon-button" href=${picture.url} target="_blank" rel="noopener noreferrer" aria-label="Open original" title="Open original">${icons.open}</a>
        <a class="icon-button" href=${picture.url} download=${picture.name} aria-label="Save" title="Save">${icons.save}</a>
        <button type="button" class="icon-button" aria-label="Close" title="Close" @click=${this.close}>${icons.close}</button>
      </div>
      <div class="viewer-stage">
        ${several ? this.#step(-1, "Previous picture", icons.left) : nothing}
        <img class="checkerboard" src=${picture.url} alt=${picture.alt ?? picture.name} @load=${this.#onLoad} />
        ${several ? this.#step(1, "Next picture", icons.right) : nothing}
      </div>
      ${picture.alt ? html`<p class="viewer-alt">${picture.alt}</p>` : nothing}
    </dialog>`;
  }

  close(): void {
    this.querySelector("dialog")?.close();
  }

  #step(by: 1 | -1, label: string, icon: TemplateResult): TemplateResult {
    return html`<button type="button" class="icon-button step" aria-label=${label} @click=${() => this.#move(by)}>${icon}</button>`;
  }

  #move(by: 1 | -1): void {
    if (!this.request) return;
    const { pictures, index } = this.request;
    this.natural = "";
    this.request = { pictures, index: (index + by + pictures.length) % pictures.length };
  }

  #onLoad(event: Event): void {
    const { naturalWidth, naturalHeight } = event.target as HTMLImageElement;
    this.natural = `${naturalWidth} × ${naturalHeight}`;
  }

  #onClose(): void {
    this.request = undefined;
    this.natural = "";
  }
}

customElements.define("page-viewer", PageViewer);
