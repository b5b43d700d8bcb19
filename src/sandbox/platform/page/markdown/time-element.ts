import { html } from "lit";
import { PageElement } from "../element.ts";
import { timeText } from "./time.ts";

const refreshMs = 15_000;

/** `<page-time>`: a timestamp of a message's text; relative ones stay current. */
export class PageTime extends PageElement {
  static override properties = { unixSeconds: { type: Number }, format: { type: String } };
  declare unixSeconds: number;
  declare format: string;
  #timer: ReturnType<typeof setInterval> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#timer = setInterval(() => this.requestUpdate(), refreshMs);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#timer);
  }

  override render() {
    const full = timeText(this.unixSeconds, "F", Date.now());
    const short = timeText(this.unixSeconds, this.format, Date.now());
    return html`<time class="md-time" title=${full}>${short}</time>`;
  }
}

customElements.define("page-time", PageTime);
