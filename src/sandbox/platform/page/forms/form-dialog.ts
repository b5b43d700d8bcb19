import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { avatar } from "../channel/author.ts";
import { icons } from "../content/icons.ts";
import type { OpenedForm, PendingAction } from "../state/page-state.ts";
import { QuestionForm } from "./question-form.ts";
import { readQuestions } from "./questions.ts";

/** `<page-form>`: the form that the bot opened. It stays until the bot took it, so that nothing typed is lost. */
class PageForm extends QuestionForm {
  static override properties = {
    opened: { attribute: false },
    waiting: { attribute: false },
  };
  declare opened: OpenedForm | undefined;
  declare waiting: readonly PendingAction[];
  #sentKey: string | undefined;

  constructor() {
    super();
    this.waiting = [];
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("opened")) {
      this.#sentKey = undefined;
      this.begin(this.opened ? readQuestions(this.opened.form) : []);
    }
    this.#follow();
  }

  override updated(changed: PropertyValues<this>): void {
    if (!changed.has("opened") || !this.opened) return;
    const dialog = this.querySelector("dialog");
    if (dialog && !dialog.open) dialog.showModal();
    void this.focusQuestion(0);
  }

  override render(): TemplateResult {
    if (!this.opened) return html``;
    const { hello } = this.session.state;
    const isBusy = this.isSending || this.#sentKey !== undefined;
    return html`<dialog
      class="form"
      aria-labelledby="form-title"
      @cancel=${(event: Event) => {
        // A cancelled file chooser sends the same event.
        if (event.target === event.currentTarget) this.#close();
      }}
      @dragover=${ignore}
      @drop=${ignore}
    >
      <form novalidate @submit=${this.submit}>
        <header class="form-head">
          ${hello ? avatar(hello.bot, "small") : nothing}
          <h2 id="form-title">${this.opened.form.title}</h2>
          <button type="button" class="icon-button" aria-label="Close form" @click=${this.#close}>${icons.close}</button>
        </header>
        <div class="form-body">${this.fields()}</div>
        ${this.failure()}
        <footer class="form-foot">
          <button type="button" class="button secondary" @click=${this.#close}>Cancel</button>
          <button type="submit" class="button primary ${isBusy ? "busy" : ""}" aria-busy=${isBusy}>
            <span class="button-face">Submit</span>
            ${isBusy ? html`<span class="dots" aria-hidden="true"><i></i><i></i><i></i></span>` : nothing}
          </button>
        </footer>
      </form>
    </dialog>`;
  }

  protected override async send(): Promise<void> {
    if (this.#sentKey !== undefined) return;
    const fields: Record<string, string | readonly string[]> = {};
    for (const [name, answer] of Object.entries(this.answers)) {
      const files = await this.upload(name);
      fields[name] = files.length > 0 ? files : (answer as string | readonly string[]);
    }
    this.#sentKey = this.session.submit(fields);
  }

  /** A form that was sent closes when the bot took it, and says so when it did not. */
  #follow(): void {
    if (this.#sentKey === undefined) return;
    const sent = this.waiting.find(({ key }) => key === this.#sentKey);
    if (sent && sent.failed === undefined) return;
    this.#sentKey = undefined;
    if (!sent) {
      this.session.closeForm();
      return;
    }
    this.error = sent.failed || "Something went wrong. Try again.";
    this.session.forget(sent.key);
  }

  readonly #close = (): void => this.session.closeForm();
}

/** A file dropped beside the field must not replace the page. */
function ignore(event: Event): void {
  event.preventDefault();
}

customElements.define("page-form", PageForm);
