import { ApplicationCommandOptionType as OptionType } from "discord-api-types/v10";
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { icons } from "../content/icons.ts";
import { PageElement } from "../element.ts";
import type { PageSession } from "../page-session.ts";
import { ClientRequestError } from "../platform-client.ts";
import { checkField } from "./check-field.ts";
import type { CommandEntry } from "./command-index.ts";
import { emptyField, type FieldChoice, isAutocompleted, type OptionField } from "./field.ts";
import {
  furtherOptions,
  nextEmpty,
  placeFiles,
  startFields,
  typedSoFar,
  typeInto,
  withTail,
} from "./line-fields.ts";
import {
  lineTail,
  optionPill,
  pillInputId,
  pressLineKey,
  sendCommand,
  tailId,
} from "./line-parts.ts";
import {
  optionsPanel,
  type PanelFacts,
  panelChoices,
  panelHead,
  panelRows,
} from "./options-panel.ts";
import { noSuggestions, Suggester, type Suggestions } from "./suggester.ts";
import { attachmentCard } from "./tray.ts";

/** Index of the place behind the last option. */
const tail = -1;

/**
 * `<page-command-line>`: a chosen command with its options. Sends `leave` with the text to continue with when the person
 * steps back, `done` when the platform took the command.
 */
export class PageCommandLine extends PageElement {
  static override properties = {
    session: { attribute: false },
    entry: { attribute: false },
    rest: {},
    fields: { state: true },
    focused: { state: true },
    active: { state: true },
    tailText: { state: true },
    suggestions: { state: true },
    checked: { state: true },
    error: { state: true },
    sending: { state: true },
  };
  declare session: PageSession;
  declare entry: CommandEntry;
  /** Typed after the command's name; goes into its first option. */
  declare rest: string;
  declare fields: readonly OptionField[];
  declare focused: number;
  /** Row of the panel that Enter chooses; -1 for none. */
  declare active: number;
  declare tailText: string;
  declare suggestions: Suggestions;
  /** Names of options whose faults are shown. */
  declare checked: ReadonlySet<string>;
  declare error: string;
  declare sending: boolean;
  readonly #suggester = new Suggester((suggestions) => {
    this.suggestions = suggestions;
    this.active = suggestions.choices.length > 0 ? 0 : -1;
  });

  constructor() {
    super();
    this.rest = "";
    this.#reset();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#suggester.stop();
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("entry")) return;
    this.#reset();
    this.fields = startFields(this.entry, this.rest);
  }

  override updated(changed: PropertyValues<this>): void {
    if (changed.has("entry")) this.#focus(this.fields.length > 0 ? 0 : tail);
    if (changed.has("active"))
      this.querySelector(".options-panel .active")?.scrollIntoView({ block: "nearest" });
  }

  override render(): TemplateResult {
    const facts = this.#facts();
    const rows = panelRows(facts);
    const head = panelHead(facts, rows.length);
    const { active } = this;
    return html`${head ? optionsPanel({ ...head, rows, active, onActive: this.#onActive }) : nothing}
      ${this.#cards()} ${this.#faults()}
      <div class="composer-box command-bar" role="group" aria-label="Command /${this.entry.label}">
        <span class="command-name">/${this.entry.label}</span>
        ${this.fields.map((field, index) => this.#pill(field, index))}
        ${lineTail({
          text: this.tailText,
          further: facts.further.length,
          active: this.active,
          isFocused: this.focused === tail,
          onText: (text) => this.#typeTail(text),
          onKey: (event) => this.#onKey(event),
          onFocus: () => this.#onFocus(tail),
        })}
        <span class="line-ends">
          <button type="button" class="icon-button" aria-label="Cancel command" title="Cancel (Esc)" @click=${() => this.#leave("")}>${icons.close}</button>
          <button type="button" class="icon-button send" aria-label="Send command" title="Send (Enter)" ?disabled=${this.sending} @click=${this.send}>${icons.send}</button>
        </span>
      </div>`;
  }

  /** Takes files that were dropped, pasted or chosen. */
  addFiles(files: readonly File[]): void {
    const placed = placeFiles(this.entry, this.fields, { files, focused: this.focused });
    this.fields = placed.fields;
    this.error = placed.left.length > 0 ? "This command doesn’t take any more files." : "";
    this.#goOn();
  }

  readonly send = async (): Promise<void> => {
    if (this.sending) return;
    const fields = withTail(this.entry, this.fields, this.tailText);
    if (fields !== this.fields) [this.fields, this.tailText] = [fields, ""];
    this.checked = new Set(this.fields.map(({ option }) => option.name));
    const wrong = this.fields.findIndex((field) => this.#fault(field));
    if (wrong >= 0) return this.#focus(wrong);
    this.error = "";
    this.sending = true;
    try {
      await sendCommand(this.session, this.entry, this.fields);
      this.dispatchEvent(new CustomEvent("done"));
    } catch (error) {
      if (!(error instanceof ClientRequestError)) throw error;
      this.error = error.message;
    } finally {
      this.sending = false;
    }
  };

  #reset(): void {
    this.fields = [];
    this.focused = tail;
    this.active = -1;
    this.tailText = "";
    this.suggestions = noSuggestions;
    this.checked = new Set();
    this.error = "";
    this.sending = false;
  }

  #facts(): PanelFacts {
    return {
      field: this.fields[this.focused],
      further: furtherOptions(this.entry, this.fields),
      tailText: this.tailText,
      suggestions: this.suggestions,
      hello: this.session.state.hello,
      onChoose: (choice) => this.#choose(choice),
      onAdd: (option) => {
        this.tailText = "";
        this.fields = [...this.fields, emptyField(option)];
        this.#focus(this.fields.length - 1);
      },
    };
  }

  #fault(field: OptionField): string | undefined {
    return checkField(field, this.session.state.hello);
  }

  #pill(field: OptionField, index: number): TemplateResult {
    return optionPill({
      field,
      index,
      error: this.checked.has(field.option.name) ? this.#fault(field) : undefined,
      active: this.active,
      isFocused: this.focused === index,
      onText: (text) => this.#type(index, text),
      onKey: (event) => this.#onKey(event),
      onFocus: () => this.#onFocus(index),
      onFiles: (files) => this.#replaceFile(index, files),
      onRemove: () => this.#remove(index),
    });
  }

  #cards(): TemplateResult | typeof nothing {
    const cards = this.fields.flatMap((field, index) => {
      if (field.option.type !== OptionType.Attachment) return [];
      const chooser = `[data-option-file="${field.option.name}"]`;
      return attachmentCard(field, {
        isFocused: this.focused === index,
        onChoose: () => this.querySelector<HTMLElement>(chooser)?.click(),
        onRemove: () => this.#change(index, { file: undefined }),
        onDrop: (files) => this.#replaceFile(index, files),
      });
    });
    return cards.length > 0 ? html`<div class="attachment-cards">${cards}</div>` : nothing;
  }

  #faults(): TemplateResult | typeof nothing {
    const shown = this.fields.filter(({ option }) => this.checked.has(option.name));
    const field = shown.find((one) => this.#fault(one));
    const words = this.error || (field ? `${field.option.label}: ${this.#fault(field)}` : "");
    if (!words) return nothing;
    return html`<div class="composer-error" role="alert">${icons.warning}<span>${words}</span></div>`;
  }

  #replaceFile(index: number, files: readonly File[]): void {
    if (files.length === 0) return;
    this.focused = index;
    this.#change(index, { file: undefined });
    this.addFiles(files);
  }

  #onFocus(index: number): void {
    this.focused = index;
    this.#suggester.stop();
    this.suggestions = noSuggestions;
    const field = this.fields[index];
    this.#activateFirst(field);
    if (field && !field.chosen) this.#suggest(field);
  }

  #type(index: number, text: string): void {
    const { hello } = this.session.state;
    this.error = "";
    this.fields = this.fields.map((field, at) =>
      at === index ? typeInto(field, text, hello) : field,
    );
    const field = this.fields[index];
    this.#activateFirst(field);
    if (field) this.#suggest(field);
  }

  #typeTail(text: string): void {
    this.tailText = text;
    this.active = text.trim() && panelRows(this.#facts()).length > 0 ? 0 : -1;
  }

  #activateFirst(field: OptionField | undefined): void {
    this.active = field && panelChoices(field, this.#facts()).length > 0 ? 0 : -1;
  }

  #suggest(field: OptionField): void {
    if (!isAutocompleted(field)) return;
    const { commandId, path } = this.entry;
    const { channelId, hello } = this.session.state;
    const options = typedSoFar(this.fields, field);
    const focused = field.option.name;
    this.#suggester.locale = hello?.locale ?? "en-US";
    this.#suggester.ask(this.session.client, { channelId, commandId, path, options, focused });
  }

  #choose(choice: FieldChoice): void {
    this.#suggester.stop();
    this.suggestions = noSuggestions;
    this.#change(this.focused, { text: choice.name, chosen: choice });
    this.#goOn();
  }

  #remove(index: number): void {
    this.fields = this.fields.filter((_, at) => at !== index);
    this.#focus(tail);
  }

  #change(index: number, change: Partial<OptionField>): void {
    this.error = "";
    this.fields = this.fields.map((field, at) => (at === index ? { ...field, ...change } : field));
  }

  /** Moves to the next required option that is empty, else behind the last one. */
  #goOn(): void {
    const next = nextEmpty(this.fields);
    this.#focus(next >= 0 ? next : tail);
  }

  async #focus(index: number): Promise<void> {
    await this.updateComplete;
    const id = index === tail ? tailId : pillInputId(index);
    this.querySelector<HTMLElement>(`#${id}`)?.focus();
  }

  #leave(text: string): void {
    this.dispatchEvent(new CustomEvent("leave", { detail: text }));
  }

  #onKey(event: KeyboardEvent): void {
    if (event.isComposing) return;
    const isHandled = pressLineKey(event, {
      field: this.fields[this.focused],
      rows: panelRows(this.#facts()),
      active: this.active,
      onActive: this.#onActive,
      send: () => void this.send(),
      leave: () => this.#leave(""),
      stepBack: () => this.#stepBack(),
    });
    if (!isHandled) return;
    event.preventDefault();
    event.stopPropagation();
  }

  readonly #onActive = (index: number): void => {
    this.active = index;
  };

  /** Removes an optional option, goes to the previous one, or closes the command. */
  #stepBack(): void {
    const index = this.focused === tail ? this.fields.length : this.focused;
    const field = this.fields[index];
    if (field && !field.option.required) this.#remove(index);
    else if (index > 0) void this.#focus(index - 1);
    else this.#leave(`/${this.entry.label}`);
  }
}

customElements.define("page-command-line", PageCommandLine);
