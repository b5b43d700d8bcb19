import { ComponentType } from "discord-api-types/v10";
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { PlatformFormAction } from "../../protocol.ts";
import { avatar } from "../channel/author.ts";
import { checkFile } from "../composer/check-field.ts";
import { icons } from "../content/icons.ts";
import type { PageSelect } from "../content/select-element.ts";
import { PageElement } from "../element.ts";
import { markdown } from "../markdown/render.ts";
import type { PageSession } from "../page-session.ts";
import { ClientRequestError } from "../platform-client.ts";
import { createNames } from "../state/names.ts";
import type { OpenedForm, PendingAction } from "../state/page-state.ts";
import { formControl } from "./controls.ts";
import {
  checkAnswer,
  type FormAnswers,
  type FormQuestion,
  firstAnswers,
  questionsOf,
} from "./questions.ts";

/** `<page-form>`: the form that the bot opened. It stays until the bot took it, so that nothing typed is lost. */
class PageForm extends PageElement {
  static override properties = {
    session: { attribute: false },
    opened: { attribute: false },
    waiting: { attribute: false },
    answers: { state: true },
    isChecked: { state: true },
    isUploading: { state: true },
    error: { state: true },
  };
  declare session: PageSession;
  declare opened: OpenedForm | undefined;
  declare waiting: readonly PendingAction[];
  declare answers: FormAnswers;
  declare isChecked: boolean;
  declare isUploading: boolean;
  declare error: string;
  #sentKey: string | undefined;
  #questions: readonly FormQuestion[] = [];

  constructor() {
    super();
    this.waiting = [];
    this.#clear();
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("opened")) {
      this.#clear();
      this.#questions = this.opened ? questionsOf(this.opened.form) : [];
      this.answers = firstAnswers(this.#questions);
    }
    this.#follow();
  }

  override updated(changed: PropertyValues<this>): void {
    if (!changed.has("opened") || !this.opened) return;
    const dialog = this.querySelector("dialog");
    if (dialog && !dialog.open) dialog.showModal();
    void this.#focusQuestion(0);
  }

  override render(): TemplateResult {
    if (!this.opened) return html``;
    const { hello } = this.session.state;
    const busy = this.#isBusy();
    return html`<dialog class="form" aria-labelledby="form-title" @cancel=${this.#onCancel} @dragover=${ignore} @drop=${ignore}>
      <form novalidate @submit=${this.#onSubmit}>
        <header class="form-head">
          ${hello ? avatar(hello.bot, "small") : nothing}
          <h2 id="form-title">${this.opened.form.title}</h2>
          <button type="button" class="icon-button" aria-label="Close form" @click=${this.#close}>${icons.close}</button>
        </header>
        <div class="form-body">${this.#questions.map((one, index) => this.#question(one, index))}</div>
        ${this.error ? html`<div class="failure" role="alert">${icons.warning}<span>${this.error}</span></div>` : nothing}
        <footer class="form-foot">
          <button type="button" class="button secondary" @click=${this.#close}>Cancel</button>
          <button type="submit" class="button primary ${busy ? "busy" : ""}" aria-busy=${busy}>
            <span class="button-face">Submit</span>
            ${busy ? html`<span class="dots" aria-hidden="true"><i></i><i></i><i></i></span>` : nothing}
          </button>
        </footer>
      </form>
    </dialog>`;
  }

  #question(one: FormQuestion, index: number): TemplateResult {
    const { hello } = this.session.state;
    if (one.type === "words")
      return html`<div class="form-words">${markdown(one.text, createNames(hello))}</div>`;
    const id = `field-${index}`;
    const customId = one.control.custom_id;
    const fault = this.isChecked ? this.#fault(one) : undefined;
    const isRequired = !("required" in one.control) || one.control.required !== false;
    const describedBy = [one.description ? `${id}-about` : "", fault ? `${id}-fault` : ""]
      .join(" ")
      .trim();
    const star = isRequired ? html`<span class="required" aria-hidden="true"> *</span>` : nothing;
    const label = html`<label class="form-label" for=${id}>${one.label}${star}</label>`;
    return html`<div class="form-question ${fault ? "invalid" : ""}">
      ${one.control.type === ComponentType.Checkbox ? nothing : label}
      ${one.description ? html`<div class="form-about" id="${id}-about">${one.description}</div>` : nothing}
      ${formControl(one.control, {
        id,
        label: one.label,
        describedBy,
        answer: this.answers[customId] ?? "",
        hasFault: fault !== undefined,
        hello,
        onAnswer: (answer) => {
          this.answers = { ...this.answers, [customId]: answer };
        },
      })}
      ${fault ? html`<div class="form-fault" role="alert" id="${id}-fault">${fault}</div>` : nothing}
    </div>`;
  }

  #fault(one: FormQuestion): string | undefined {
    if (one.type === "words") return undefined;
    const answer = this.answers[one.control.custom_id] ?? "";
    const tooLarge = filesOf(answer)
      .map((file) => checkFile(file, this.session.state.hello?.attachmentLimit))
      .find((fault) => fault !== undefined);
    return tooLarge ?? checkAnswer(one.control, answer);
  }

  #isBusy(): boolean {
    return this.isUploading || this.#sentKey !== undefined;
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

  readonly #onSubmit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (this.#isBusy()) return;
    this.isChecked = true;
    this.error = "";
    const wrong = this.#questions.findIndex((one) => this.#fault(one));
    if (wrong >= 0) return this.#focusQuestion(wrong);
    this.isUploading = true;
    try {
      this.#sentKey = this.session.submit(await this.#fields());
    } catch (error) {
      if (!(error instanceof ClientRequestError)) throw error;
      this.error = error.message;
    } finally {
      this.isUploading = false;
    }
  };

  async #fields(): Promise<PlatformFormAction["fields"]> {
    const fields: Record<string, string | readonly string[]> = {};
    for (const [name, answer] of Object.entries(this.answers)) {
      const files = filesOf(answer);
      const uploaded = Promise.all(files.map((file) => this.session.client.upload(file)));
      fields[name] = files.length > 0 ? await uploaded : (answer as string | readonly string[]);
    }
    return fields;
  }

  /** To a question's control, or the first one after it. */
  async #focusQuestion(index: number): Promise<void> {
    await this.updateComplete;
    const questions = [...this.querySelectorAll(".form-body > *")].slice(index);
    // Selects render a moment after the form.
    const selects = questions.flatMap((one) => [
      ...one.querySelectorAll<PageSelect>("page-select"),
    ]);
    await Promise.all(selects.map((select) => select.updateComplete));
    const controls = questions.flatMap((one) => [
      ...one.querySelectorAll<HTMLElement>("input, textarea, .select"),
    ]);
    controls[0]?.focus();
  }

  #clear(): void {
    this.answers = {};
    this.isChecked = false;
    this.isUploading = false;
    this.error = "";
    this.#sentKey = undefined;
  }

  readonly #close = (): void => this.session.closeForm();

  #onCancel(event: Event): void {
    // A cancelled file chooser sends the same event.
    if (event.target === event.currentTarget) this.#close();
  }
}

function filesOf(answer: FormAnswers[string]): readonly File[] {
  return typeof answer === "string" ? [] : answer.filter((one): one is File => one instanceof File);
}

/** A file dropped beside the field must not replace the page. */
function ignore(event: Event): void {
  event.preventDefault();
}

customElements.define("page-form", PageForm);
