import { html, nothing, type TemplateResult } from "lit";
import type { HappeningsAnswer, ShownHappening } from "../../protocol.ts";
import { icons } from "../content/icons.ts";
import { PanelElement } from "../element.ts";
import { inlineMarkdown } from "../markdown/render.ts";
import type { PageSession } from "../page-session.ts";
import { ClientRequestError } from "../platform-client.ts";
import { createNames } from "../state/names.ts";
import type { PageState } from "../state/page-state.ts";

/** `<page-happenings>`: what the sandbox can make happen beside what people do. Sends `leave` when it is closed. */
class PageHappenings extends PanelElement {
  static override properties = {
    session: { attribute: false },
    state: { attribute: false },
    all: { state: true },
    error: { state: true },
  };
  declare session: PageSession;
  declare state: PageState;
  declare all: HappeningsAnswer["happenings"];
  declare error: string;
  #isAsking = false;
  #isOld = false;

  constructor() {
    super();
    this.all = [];
    this.error = "";
  }

  /** Whatever happened can have changed how things stand. */
  override updated(changed: Map<PropertyKey, unknown>): void {
    if (changed.has("state")) void this.#look();
  }

  override render(): TemplateResult {
    return this.panel(
      { title: "Make something happen" },
      html`
      ${this.error ? html`<div class="composer-error" role="alert">${icons.warning}<span>${this.error}</span></div>` : nothing}
      <ul>${this.all.map((one) => this.#happening(one))}</ul>`,
    );
  }

  #happening({ name, title, words, state, presses }: ShownHappening): TemplateResult {
    const names = createNames(this.state.hello);
    return html`<li data-happening=${name} data-state=${state === undefined ? "idle" : "on"}>
      <h3>${title}</h3>
      <p>${inlineMarkdown(words, names)}</p>
      <p class="happening-state" role="status">${state === undefined ? nothing : inlineMarkdown(state, names)}</p>
      <div class="happening-presses">${presses.map((press) => html`<button type="button" class="button secondary" @click=${() => this.#ask(press.name)}>${press.label}</button>`)}</div>
    </li>`;
  }

  /** Asks once more when something happened meanwhile. */
  async #look(): Promise<void> {
    this.#isOld = true;
    if (this.#isAsking) return;
    this.#isAsking = true;
    while (this.#isOld) {
      this.#isOld = false;
      await this.#ask();
    }
    this.#isAsking = false;
  }

  async #ask(name?: string): Promise<void> {
    try {
      this.all = await this.session.happenings(name);
      this.error = "";
    } catch (error) {
      if (!(error instanceof ClientRequestError)) throw error;
      this.error = error.message;
    }
  }
}

customElements.define("page-happenings", PageHappenings);
