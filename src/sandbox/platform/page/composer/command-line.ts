import {
  type APIApplicationCommandBasicOption,
  ApplicationCommandOptionType as OptionType,
} from "discord-api-types/v10";
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { TypedOption } from "../../protocol.ts";
import { ActError } from "../acts.ts";
import { icons } from "../content/icons.ts";
import type { Desk } from "../desk.ts";
import { PageElement } from "../element.ts";
import { attachmentCard } from "./attachment-card.ts";
import { checkField } from "./check.ts";
import type { CommandEntry } from "./command-index.ts";
import {
  type Choice,
  emptyField,
  type Field,
  isAutocompleted,
  isEmpty,
  listOf,
  narrow,
  valueOf,
} from "./field.ts";
import { optionPill, pillInputId } from "./option-pill.ts";
import {
  choiceRows,
  optionRows,
  optionsPanel,
  type PanelView,
  panelId,
  panelRowId,
} from "./options-panel.ts";
import { noSuggestions, Suggester, type Suggestions } from "./suggester.ts";

/** Index of the place after the last option, where further ones are added. */
const tail = -1;
const tailId = "option-tail";

/**
 * `<page-command-line>`: a chosen command with its options. Sends `leave` with the text to go on with when the person
 * steps back, `done` when the platform took the command.
 */
export class PageCommandLine extends PageElement {
  static override properties = {
    desk: { attribute: false },
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
  declare desk: Desk;
  declare entry: CommandEntry;
  /** Typed after the command's name; goes into its first option. */
  declare rest: string;
  declare fields: readonly Field[];
  declare focused: number;
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
    const required = this.entry.options.filter((option) => option.required);
    const start = required.length > 0 || !this.rest ? required : this.entry.options.slice(0, 1);
    this.fields = start.map(emptyField);
    const first = this.fields[0];
    if (!first || !this.rest || first.option.type === OptionType.Attachment) return;
    this.fields = [{ ...first, text: this.rest }, ...this.fields.slice(1)];
  }

  override updated(changed: PropertyValues<this>): void {
    if (changed.has("entry")) this.#focus(this.fields.length > 0 ? 0 : tail);
    if (changed.has("active"))
      this.querySelector(".options-panel .active")?.scrollIntoView({ block: "nearest" });
  }

  override render(): TemplateResult {
    const panel = this.#panel();
    const cards = this.fields.filter(({ option }) => option.type === OptionType.Attachment);
    return html`${panel ? optionsPanel(panel) : nothing}
      ${cards.length > 0 ? html`<div class="attachment-cards">${cards.map((field) => this.#card(field))}</div>` : nothing}
      ${this.#faults()}
      <div class="composer-box command-bar" role="group" aria-label="Command /${this.entry.name}">
        <span class="command-name">/${this.entry.name}</span>
        ${this.fields.map((field, index) => this.#pill(field, index))} ${this.#tail()}
        <span class="space"></span>
        <button type="button" class="icon-button" aria-label="Cancel command" title="Cancel (Esc)" @click=${() => this.#leave("")}>${icons.close}</button>
        <button type="button" class="icon-button send" aria-label="Send command" title="Send (Enter)" ?disabled=${this.sending} @click=${this.send}>${icons.send}</button>
      </div>`;
  }

  /** Puts files into the option that has the cursor, then into other empty attachment options, adding those it needs. */
  addFiles(files: readonly File[]): void {
    const isFree = ({ option, file }: Field) => option.type === OptionType.Attachment && !file;
    let left = [...files];
    const put = (field: Field): Field => {
      const [file, ...others] = left;
      if (!file || !isFree(field)) return field;
      left = others;
      return { ...field, file };
    };
    const at = this.focused;
    const fields = this.fields.map((field, index) => (index === at ? put(field) : field)).map(put);
    const further = this.#further().filter(({ type }) => type === OptionType.Attachment);
    const added = further
      .map(emptyField)
      .map(put)
      .filter(({ file }) => file);
    this.fields = [...fields, ...added];
    this.error = left.length > 0 ? "This command takes no more files." : "";
    this.#goOn();
  }

  readonly send = async (): Promise<void> => {
    if (this.sending) return;
    this.checked = new Set(this.fields.map(({ option }) => option.name));
    const wrong = this.fields.findIndex((field) => this.#fault(field));
    if (wrong >= 0) return this.#focus(wrong);
    this.error = "";
    this.sending = true;
    const channelId = this.desk.state.channelId;
    try {
      const options = await this.#typed();
      const { commandId, path, name } = this.entry;
      await this.desk.command({ channelId, commandId, path, options }, name);
      this.dispatchEvent(new CustomEvent("done"));
    } catch (error) {
      if (!(error instanceof ActError)) throw error;
      this.error = error.message;
    } finally {
      this.sending = false;
    }
  };

  async #typed(): Promise<readonly TypedOption[]> {
    const options: TypedOption[] = [];
    for (const field of this.fields) {
      const value = field.file ? await this.desk.acts.upload(field.file) : valueOf(field);
      if (value !== undefined) options.push({ name: field.option.name, value });
    }
    return options;
  }

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

  #further(): readonly APIApplicationCommandBasicOption[] {
    const used = new Set(this.fields.map(({ option }) => option.name));
    return this.entry.options.filter(({ name }) => !used.has(name));
  }

  #fault(field: Field): string | undefined {
    return checkField(field, this.desk.state.hello);
  }

  #pill(field: Field, index: number): TemplateResult {
    return optionPill({
      field,
      index,
      error: this.checked.has(field.option.name) ? this.#fault(field) : undefined,
      active: this.active,
      isFocused: this.focused === index,
      onText: (text) => this.#type(index, text),
      onKey: (event) => this.#onKey(event),
      onFocus: () => this.#onFocus(index),
      onFiles: (files) => {
        this.focused = index;
        this.#change(index, { file: undefined });
        this.addFiles(files);
      },
      onRemove: () => this.#remove(index),
    });
  }

  #card(field: Field): TemplateResult {
    const index = this.fields.indexOf(field);
    return attachmentCard(field, {
      isFocused: this.focused === index,
      onChoose: () =>
        this.querySelector<HTMLElement>(`[data-option-file="${field.option.name}"]`)?.click(),
      onRemove: () => this.#change(index, { file: undefined }),
      onDrop: (files) => {
        this.focused = index;
        this.#change(index, { file: undefined });
        this.addFiles(files);
      },
    });
  }

  #tail(): TemplateResult | typeof nothing {
    const further = this.#further();
    const label = further.length > 0 ? `+${further.length} more` : "";
    return html`<input
      id=${tailId}
      class="pill-tail"
      type="text"
      autocomplete="off"
      role="combobox"
      aria-label="Add an option"
      aria-expanded=${this.focused === tail}
      aria-controls=${panelId}
      aria-activedescendant=${this.focused === tail && this.active >= 0 ? panelRowId(this.active) : ""}
      placeholder=${label}
      size=${Math.max(8, this.tailText.length + 1)}
      .value=${this.tailText}
      @input=${(event: Event) => this.#typeTail((event.target as HTMLInputElement).value)}
      @keydown=${(event: KeyboardEvent) => this.#onKey(event)}
      @focus=${() => this.#onFocus(tail)}
    />`;
  }

  #typeTail(text: string): void {
    this.tailText = text;
    this.active = text.trim() && this.#panelRows().length > 0 ? 0 : -1;
  }

  #faults(): TemplateResult | typeof nothing {
    const field = this.fields.find(
      (one) => this.checked.has(one.option.name) && this.#fault(one) !== undefined,
    );
    const words = this.error || (field ? `${field.option.name}: ${this.#fault(field)}` : "");
    return words
      ? html`<div class="composer-error" role="alert">${icons.warning}<span>${words}</span></div>`
      : nothing;
  }

  #panel(): PanelView | undefined {
    const onActive = (index: number) => {
      this.active = index;
    };
    const rows = this.#panelRows();
    const field = this.fields[this.focused];
    const common = { rows, active: this.active, onActive };
    if (field) {
      const { name, description, required } = field.option;
      const note = this.#note(field, rows.length);
      return {
        ...common,
        title: name,
        description: required ? description : `${description} (optional)`,
        note,
      };
    }
    return rows.length > 0
      ? { ...common, title: "Options", description: "Further options of this command" }
      : undefined;
  }

  #note(field: Field, rows: number): PanelView["note"] {
    const isListed = listOf(field, this.desk.state.hello) !== undefined;
    if (isListed) return rows === 0 ? "empty" : undefined;
    if (!isAutocompleted(field)) return undefined;
    const { state } = this.suggestions;
    if (state === "ready") return rows === 0 ? "empty" : undefined;
    return state === "idle" ? undefined : state;
  }

  #panelRows(): PanelView["rows"] {
    const field = this.fields[this.focused];
    if (field) return choiceRows(this.#choices(field), (choice) => this.#choose(choice));
    const text = this.tailText.trim().toLowerCase();
    const fitting = this.#further().filter(({ name }) => name.includes(text));
    return optionRows(fitting, (option) => this.#add(option));
  }

  #choices(field: Field): readonly Choice[] {
    const list = listOf(field, this.desk.state.hello);
    return list ? narrow(list, field) : this.suggestions.choices;
  }

  #onFocus(index: number): void {
    this.focused = index;
    this.#suggester.stop();
    this.suggestions = noSuggestions;
    const field = this.fields[index];
    this.active = field && this.#choices(field).length > 0 ? 0 : -1;
    if (field && !field.chosen) this.#suggest(field);
  }

  #type(index: number, text: string): void {
    const list = this.fields[index] && listOf(this.fields[index], this.desk.state.hello);
    const exact = list?.find(({ name }) => name.toLowerCase() === text.trim().toLowerCase());
    this.#change(index, { text, chosen: exact });
    const field = this.fields[index];
    if (!field) return;
    this.active = this.#choices(field).length > 0 ? 0 : -1;
    this.#suggest(field);
  }

  #suggest(field: Field): void {
    if (!isAutocompleted(field)) return;
    const others = this.fields.flatMap((other): readonly TypedOption[] => {
      const value = other === field ? field.text : valueOf(other);
      return value === undefined || other.file ? [] : [{ name: other.option.name, value }];
    });
    const { commandId, path } = this.entry;
    const { channelId } = this.desk.state;
    const focused = field.option.name;
    this.#suggester.ask(this.desk.acts, { channelId, commandId, path, options: others, focused });
  }

  #choose(choice: Choice): void {
    this.#suggester.stop();
    this.suggestions = noSuggestions;
    this.#change(this.focused, { text: choice.name, chosen: choice });
    this.#goOn();
  }

  #add(option: APIApplicationCommandBasicOption): void {
    this.tailText = "";
    this.fields = [...this.fields, emptyField(option)];
    this.#focus(this.fields.length - 1);
  }

  #remove(index: number): void {
    this.fields = this.fields.filter((_, at) => at !== index);
    this.#focus(tail);
  }

  #change(index: number, change: Partial<Field>): void {
    this.error = "";
    this.fields = this.fields.map((field, at) => (at === index ? { ...field, ...change } : field));
  }

  /** To the next required option that is empty, else behind the last one. */
  #goOn(): void {
    const next = this.fields.findIndex((field) => field.option.required && isEmpty(field));
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
    const rows = this.#panelRows();
    const field = this.fields[this.focused];
    const row = rows[this.active];
    switch (event.key) {
      case "ArrowDown":
      case "ArrowUp": {
        if (rows.length === 0) return;
        const by = event.key === "ArrowDown" ? 1 : -1;
        this.active = (this.active + by + rows.length) % rows.length;
        break;
      }
      case "Enter":
        if (row && !field?.chosen) row.onPick();
        else void this.send();
        break;
      case "Tab":
        if (
          event.shiftKey ||
          !row ||
          field?.chosen ||
          (field && isEmpty(field) && !field.option.required)
        )
          return;
        row.onPick();
        break;
      case "Escape":
        this.#leave("");
        break;
      case "Backspace":
        if (!this.#stepBack(event)) return;
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** Backspace in an empty place: drops an optional option, goes to the one before, or leaves the command. */
  #stepBack(event: KeyboardEvent): boolean {
    const input = event.target;
    if (input instanceof HTMLInputElement && input.value !== "") return false;
    const index = this.focused === tail ? this.fields.length : this.focused;
    const field = this.fields[index];
    if (field && !field.option.required) this.#remove(index);
    else if (index > 0) void this.#focus(index - 1);
    else this.#leave(`/${this.entry.name}`);
    return true;
  }
}

customElements.define("page-command-line", PageCommandLine);
