import { html } from "lit";
import { PageElement } from "../element.ts";
import { followClock, pageNow } from "../state/page-clock.ts";
import { timeText } from "./time.ts";

const refreshMs = 15_000;

/** `<page-time>`: a timestamp of a message's text; relative ones stay current. */
class PageTime extends PageElement {
  static override properties = {
    unixSeconds: { type: Number },
    format: { type: String },
    locale: {},
  };
  declare unixSeconds: number;
  declare format: string;
  declare locale: string;

  constructor() {
    super();
    followClock(this, refreshMs);
  }

  override render() {
    const { unixSeconds, format, locale } = this;
    const now = pageNow();
    const full = timeText({ unixSeconds, style: "F", locale }, now);
    const short = timeText({ unixSeconds, style: format, locale }, now);
    return html`<time class="md-time" title=${full}>${short}</time>`;
  }
}

customElements.define("page-time", PageTime);
