import { ComponentType } from "discord-api-types/v10";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { icons } from "../content/icons.ts";
import type { PageSelect } from "../content/select-element.ts";
import { PageElement } from "../element.ts";
import { markdown } from "../markdown/render.ts";
import type { PageSession } from "../page-session.ts";
import { ClientRequestError } from "../platform-client.ts";
import { createNames } from "../state/names.ts";
import { formControl } from "./controls.ts";
import { checkAnswer, type FormAnswers, type FormQuestion, firstAnswers } from "./questions.ts";
import type { Suggestion } from "./suggester.ts";

/** What the forms of the bot and of its commands have in common: questions, their checks, and files to upload. */
export abstract class QuestionForm extends PageElement {
  static override properties: PropertyDeclarations = {
    session: { attribute: false },
    answers: { state: true },
    isChecked: { state: true },
    isSending: { state: true },
    error: { state: true },
  };
  declare session: PageSession;
  declare answers: FormAnswers;
  declare isChecked: boolean;
  declare isSending: boolean;
  declare error: string;
  protected questions: readonly FormQuestion[] = [];

  constructor() {
    super();
    this.begin([]);
  }

  /** Rejects with a `ClientRequestError`, whose words are shown. */
  protected abstract send(): Promise<void>;

  protected suggest?(
    name: string,
    text: string,
    signal: AbortSignal,
  ): Promise<readonly Suggestion[]>;

  protected take?(name: string, suggestion: Suggestion): void;

  protected begin(questions: readonly FormQuestion[]): void {
    this.questions = questions;
    this.answers = firstAnswers(questions);
    this.isChecked = false;
    this.isSending = false;
    this.error = "";
  }

  protected readonly submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (this.isSending) return;
    this.isChecked = true;
    this.error = "";
    const wrong = this.questions.findIndex((one) => this.#fault(one));
    if (wrong >= 0) return this.focusQuestion(wrong);
    this.isSending = true;
    try {
      await this.send();
    } catch (error) {
      if (!(error instanceof ClientRequestError)) throw error;
      this.error = error.message;
    } finally {
      this.isSending = false;
    }
  };

  /** The ids of the files that answer a question; none where it is answered otherwise. */
  protected async upload(name: string): Promise<readonly string[]> {
    const answer = this.answers[name] ?? "";
    const files = typeof answer === "string" ? [] : answer.filter((one) => one instanceof File);
    return Promise.all(files.map((file) => this.session.client.upload(file)));
  }

  protected failure(): TemplateResult | typeof nothing {
    if (!this.error) return nothing;
    return html`<div class="failure" role="alert">${icons.warning}<span>${this.error}</span></div>`;
  }

  protected fields(): readonly TemplateResult[] {
    return this.questions.map((one, index) => this.#question(one, index));
  }

  #question(one: FormQuestion, index: number): TemplateResult {
    const { hello } = this.session.state;
    if (one.type === "words")
      return html`<div class="form-words">${markdown(one.text, createNames(hello))}</div>`;
    const { control, description } = one;
    const id = `field-${index}`;
    const name = control.custom_id;
    const fault = this.isChecked ? this.#fault(one) : undefined;
    const isRequired = !("required" in control) || control.required !== false;
    const about = [description ? `${id}-about` : "", fault ? `${id}-fault` : ""];
    const star = isRequired ? html`<span class="required" aria-hidden="true"> *</span>` : nothing;
    const label = html`<label class="form-label" for=${id}>${one.label}${star}</label>`;
    return html`<div class="form-question ${fault ? "invalid" : ""}" data-question=${name}>
      ${control.type === ComponentType.Checkbox ? nothing : label}
      ${description ? html`<div class="form-about" id="${id}-about">${description}</div>` : nothing}
      ${formControl(control, {
        id,
        label: one.label,
        describedBy: about.join(" ").trim(),
        answer: this.answers[name] ?? "",
        hasFault: fault !== undefined,
        hello,
        onAnswer: (answer) => {
          this.answers = { ...this.answers, [name]: answer };
        },
        suggest: (text, signal) => this.suggest?.(name, text, signal) ?? Promise.resolve([]),
        onTake: (suggestion) => this.take?.(name, suggestion),
      })}
      ${fault ? html`<div class="form-fault" role="alert" id="${id}-fault">${fault}</div>` : nothing}
    </div>`;
  }

  #fault(one: FormQuestion): string | undefined {
    if (one.type === "words") return undefined;
    const answer = this.answers[one.control.custom_id] ?? "";
    return checkAnswer(one.control, answer, this.session.state.hello?.attachmentLimit);
  }

  /** To the next question that needs an answer, if one does. */
  protected async focusEmpty(): Promise<void> {
    const next = this.questions.findIndex((one) => {
      const isNeeded =
        one.type === "control" && "required" in one.control && one.control.required === true;
      return isNeeded && (this.answers[one.control.custom_id] ?? "").length === 0;
    });
    if (next >= 0) await this.focusQuestion(next);
  }

  /** To a question's control, or the first one after it; to the button that sends where there is none. */
  protected async focusQuestion(index: number): Promise<void> {
    await this.updateComplete;
    const questions = [...this.querySelectorAll(".form-body > *")].slice(index);
    // Selects and inputs of their own render a moment after the form.
    const late = questions.flatMap((one) => [
      ...one.querySelectorAll<PageSelect>("page-select, page-option-input"),
    ]);
    await Promise.all(late.map((element) => element.updateComplete));
    const controls = questions.flatMap((one) => [
      ...one.querySelectorAll<HTMLElement>("input, textarea, .select"),
    ]);
    (controls[0] ?? this.querySelector<HTMLElement>("[type=submit]"))?.focus();
  }
}
