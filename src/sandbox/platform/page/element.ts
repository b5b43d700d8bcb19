import { html, LitElement, type TemplateResult } from "lit";
import { icons } from "./content/icons.ts";

/**
 * Base of the page's elements. They render into the document itself, not into a shadow tree: one set of styles reaches
 * all of them, and labels may point across elements.
 */
export abstract class PageElement extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}

/** Base class of the panels beside the channel. Sends `leave` when it is closed. */
export abstract class PanelElement extends PageElement {
  override firstUpdated(): void {
    this.querySelector<HTMLElement>(".panel-close")?.focus();
  }

  protected panel(
    { title, label = title, classes = "" }: { title: string; label?: string; classes?: string },
    content: TemplateResult,
  ): TemplateResult {
    return html`<section class="panel ${classes}" aria-label=${label} @keydown=${this.#onKey}>
      <header class="panel-head">
        <h2>${title}</h2>
        <button type="button" class="icon-button panel-close" aria-label="Close" title="Close" @click=${this.#leave}>${icons.close}</button>
      </header>
      ${content}
    </section>`;
  }

  readonly #leave = (): void => {
    this.dispatchEvent(new CustomEvent("leave"));
  };

  #onKey(event: KeyboardEvent): void {
    if (event.key !== "Escape") return;
    event.preventDefault();
    this.#leave();
  }
}
