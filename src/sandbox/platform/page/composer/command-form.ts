import { ComponentType } from "discord-api-types/v10";
import { html, type PropertyValues, type TemplateResult } from "lit";
import { nameIn } from "../../../locales.ts";
import type { TypedOption } from "../../protocol.ts";
import { icons } from "../content/icons.ts";
import { QuestionForm } from "../forms/question-form.ts";
import type { Suggestion } from "../forms/suggester.ts";
import type { CommandEntry, ShownOption } from "./command-index.ts";
import { commandQuestions, optionValue } from "./command-questions.ts";

/** https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-response-object-autocomplete */
const maxSuggestions = 25;

/**
 * `<page-command-form>`: a chosen command with its options. Sends `leave` when the person gives it up, `done` when the
 * stand-in took the command.
 */
export class PageCommandForm extends QuestionForm {
  static override properties = { entry: { attribute: false }, rest: {} };
  declare entry: CommandEntry;
  /** Typed after the command's name; goes into its first option. */
  declare rest: string;
  /** The suggestions that were taken, by the option's name: their values are sent, not their names. */
  readonly #taken = new Map<string, Suggestion>();

  override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("entry")) return;
    this.#taken.clear();
    this.begin(commandQuestions(this.entry.options));
    const first = this.entry.options[0]?.name;
    if (first !== undefined && typeof this.answers[first] === "string")
      this.answers = { ...this.answers, [first]: this.rest };
  }

  override updated(changed: PropertyValues<this>): void {
    if (changed.has("entry")) void this.focusQuestion(0);
  }

  override render(): TemplateResult {
    const { label, description } = this.entry;
    return html`<form class="command-form" novalidate role="group" aria-label="Command /${label}" @submit=${this.submit} @keydown=${this.#onKey}>
      <header class="form-head">
        <h2>/${label}</h2>
        <span class="command-about">${description}</span>
        <button type="button" class="icon-button" aria-label="Cancel command" title="Cancel (Esc)" @click=${this.#leave}>${icons.close}</button>
        <button type="submit" class="icon-button send" aria-label="Send command" title="Send (Enter)" ?disabled=${this.isSending}>${icons.send}</button>
      </header>
      ${this.failure()}
      <div class="form-body">${this.fields()}</div>
    </form>`;
  }

  /** Takes files that were dropped, pasted or chosen, for the options that have none yet. */
  addFiles(files: readonly File[]): void {
    const free = this.entry.options.filter(({ name }) => {
      const answer = this.answers[name];
      return this.#isUpload(name) && typeof answer !== "string" && answer?.length === 0;
    });
    const placed = free.slice(0, files.length).map(({ name }, index) => [name, [files[index]]]);
    this.answers = { ...this.answers, ...Object.fromEntries(placed) };
    this.error = files.length > free.length ? "This command doesn’t take any more files." : "";
    void this.focusEmpty();
  }

  protected override async send(): Promise<void> {
    const { commandId, path, name } = this.entry;
    const { channelId } = this.session.state;
    const options: TypedOption[] = [];
    for (const option of this.entry.options) {
      const [file] = await this.upload(option.name);
      const value = file ?? this.#value(option);
      if (value !== undefined) options.push({ name: option.name, value });
    }
    await this.session.command({ channelId, commandId, path, options }, name);
    this.dispatchEvent(new CustomEvent("done"));
  }

  protected override async suggest(
    focused: string,
    text: string,
    signal: AbortSignal,
  ): Promise<readonly Suggestion[]> {
    const { commandId, path } = this.entry;
    const { channelId, hello } = this.session.state;
    const options = this.entry.options.flatMap((option): readonly TypedOption[] => {
      const value = option.name === focused ? text : this.#value(option);
      // A number that is none yet has no value; a file travels with the command only.
      return value === undefined || Number.isNaN(value) ? [] : [{ name: option.name, value }];
    });
    const act = { channelId, commandId, path, options, focused };
    const { choices } = await this.session.client.send("suggest", act, signal);
    return choices.slice(0, maxSuggestions).map((choice) => ({
      name: nameIn(choice, hello?.locale ?? "en-US"),
      value: choice.value,
    }));
  }

  protected override take(name: string, suggestion: Suggestion): void {
    this.#taken.set(name, suggestion);
    void this.focusEmpty();
  }

  #value(option: ShownOption): TypedOption["value"] | undefined {
    const answer = this.answers[option.name] ?? "";
    const taken = this.#taken.get(option.name);
    return taken?.name === answer ? taken.value : optionValue(option, answer);
  }

  #isUpload(name: string): boolean {
    return this.questions.some(
      (one) =>
        one.type === "control" &&
        one.control.custom_id === name &&
        one.control.type === ComponentType.FileUpload,
    );
  }

  readonly #leave = (): void => {
    this.dispatchEvent(new CustomEvent("leave"));
  };

  /** Enter sends, from a closed list too: that opens with the space bar and the arrows. */
  #onKey(event: KeyboardEvent): void {
    if (event.defaultPrevented) return;
    const isClosedList = (event.target as Element).matches(".select[aria-expanded=false]");
    if (event.key === "Escape") this.#leave();
    else if (event.key === "Enter" && isClosedList) void this.submit(event);
    else return;
    event.preventDefault();
  }
}

customElements.define("page-command-form", PageCommandForm);
