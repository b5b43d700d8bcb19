import { LitElement } from "lit";

/**
 * Base of the page's elements. They render into the document itself, not into a shadow tree: one set of styles reaches
 * all of them, and labels may point across elements.
 */
export abstract class PageElement extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}
