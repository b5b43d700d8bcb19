import type { APIMessageComponentEmoji } from "discord-api-types/v10";
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { PageElement } from "../element.ts";
import { showPopup } from "../popup.ts";
import { emojiElement, icons } from "./icons.ts";

export interface ShownSelectOption {
  readonly label: string;
  readonly value: string;
  readonly description?: string | undefined;
  readonly emoji?: APIMessageComponentEmoji | undefined;
  readonly default?: boolean | undefined;
}

let lastId = 0;

/**
 * `<page-select>`: Discord's select. Sends `change` with the values in `detail`: at once for a single choice, for several
 * when the list closes, or with every change where `eager` is set.
 */
export class PageSelect extends PageElement {
  static override properties = {
    options: { attribute: false },
    label: {},
    placeholder: {},
    min: { type: Number },
    max: { type: Number },
    disabled: { type: Boolean },
    busy: { type: Boolean },
    eager: { type: Boolean },
    open: { state: true },
    active: { state: true },
    chosen: { state: true },
  };
  declare options: readonly ShownSelectOption[];
  declare label: string;
  declare placeholder: string;
  declare min: number;
  declare max: number;
  declare disabled: boolean;
  declare busy: boolean;
  declare eager: boolean;
  declare open: boolean;
  declare active: number;
  declare chosen: readonly string[];
  readonly #listId = `select-${++lastId}`;
  #before: readonly string[] = [];
  #defaults = "";

  constructor() {
    super();
    this.options = [];
    this.label = "";
    this.placeholder = "Make a selection";
    this.min = 1;
    this.max = 1;
    this.disabled = false;
    this.busy = false;
    this.eager = false;
    this.open = false;
    this.active = 0;
    this.chosen = [];
  }

  override willUpdate(changed: PropertyValues<this>): void {
    // A message that is edited brings new objects; the choice is dropped only when what they say changed.
    const defaults = JSON.stringify(this.options);
    if (!changed.has("options") || defaults === this.#defaults) return;
    this.#defaults = defaults;
    const offered = this.options.filter(({ value, default: isDefault }) =>
      // An open select keeps the choices that are still offered; a closed one takes the defaults.
      this.open ? this.chosen.includes(value) : isDefault,
    );
    this.chosen = offered.map(({ value }) => value);
    this.active = Math.min(this.active, Math.max(0, this.options.length - 1));
  }

  override updated(): void {
    const list = this.querySelector<HTMLElement>(".select-list");
    const box = this.querySelector(".select");
    if (!this.open || !list || !box) return;
    showPopup(list, box, "width");
    list.querySelector(".active")?.scrollIntoView({ block: "nearest" });
  }

  override render(): TemplateResult {
    const shown = this.options.filter(({ value }) => this.chosen.includes(value));
    return html`<button
        type="button"
        class="select"
        role="combobox"
        aria-label=${this.label || this.placeholder}
        aria-haspopup="listbox"
        aria-expanded=${this.open}
        aria-controls=${this.#listId}
        aria-activedescendant=${this.open ? `${this.#listId}-${this.active}` : ""}
        aria-busy=${this.busy}
        ?disabled=${this.disabled}
        @click=${() => (this.open ? this.#close() : this.#show())}
        @keydown=${this.#onKey}
        @blur=${() => this.#close()}
      >
        <span class="select-value ${shown.length === 0 ? "empty" : ""}">
          ${shown.length === 0 ? this.placeholder : shown.map((one) => html`<span class="select-chosen">${emojiElement(one.emoji)}${one.label}</span>`)}
        </span>
        ${this.busy ? html`<span class="dots" aria-hidden="true"><i></i><i></i><i></i></span>` : icons.down}
      </button>
      ${this.open ? this.#list() : nothing}`;
  }

  #list(): TemplateResult {
    return html`<div
      class="select-list"
      popover="manual"
      role="listbox"
      id=${this.#listId}
      aria-label=${this.label || this.placeholder}
      aria-multiselectable=${this.max > 1}
    >
      ${this.options.map((one, index) => this.#option(one, index))}
    </div>`;
  }

  #option(one: ShownSelectOption, index: number): TemplateResult {
    const isChosen = this.chosen.includes(one.value);
    return html`<div
      class="select-option ${index === this.active ? "active" : ""}"
      role="option"
      id="${this.#listId}-${index}"
      aria-selected=${isChosen}
      data-value=${one.value}
      @pointermove=${() => {
        this.active = index;
      }}
      @mousedown=${(event: Event) => event.preventDefault()}
      @click=${() => this.#pick(index)}
    >
      ${emojiElement(one.emoji)}
      <span class="select-text">
        <span>${one.label}</span>
        ${one.description ? html`<span class="select-description">${one.description}</span>` : nothing}
      </span>
      ${this.max > 1 ? html`<span class="box ${isChosen ? "checked" : ""}">${isChosen ? icons.check : nothing}</span>` : nothing}
      ${this.max === 1 && isChosen ? html`<span class="tick">${icons.check}</span>` : nothing}
    </div>`;
  }

  #show(): void {
    if (this.busy || this.disabled) return;
    this.#before = this.chosen;
    this.active = Math.max(
      0,
      this.options.findIndex(({ value }) => this.chosen.includes(value)),
    );
    this.open = true;
  }

  #close(): void {
    if (!this.open) return;
    this.open = false;
    const { length } = this.chosen;
    const changed = this.chosen.join("\n") !== this.#before.join("\n");
    if (this.max > 1 && !this.eager && changed && length >= this.min && length <= this.max)
      this.#send();
  }

  #pick(index: number): void {
    const value = this.options[index]?.value;
    if (value === undefined) return;
    const has = this.chosen.includes(value);
    if (this.max === 1) {
      this.chosen = has && this.min === 0 ? [] : [value];
      this.#send();
      this.#close();
      return;
    }
    if (!has && this.chosen.length >= this.max) return;
    const wanted = has ? this.chosen.filter((one) => one !== value) : [...this.chosen, value];
    this.chosen = this.options.map((one) => one.value).filter((one) => wanted.includes(one));
    if (this.eager) this.#send();
  }

  #send(): void {
    this.dispatchEvent(new CustomEvent("change", { detail: this.chosen }));
  }

  #onKey(event: KeyboardEvent): void {
    const last = this.options.length - 1;
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: this.open ? Math.min(last, this.active + 1) : this.active,
      ArrowUp: this.open ? Math.max(0, this.active - 1) : this.active,
      Home: 0,
      End: last,
    };
    if (event.key in moves) {
      event.preventDefault();
      if (!this.open) this.#show();
      this.active = moves[event.key] ?? 0;
      return;
    }
    if (!this.open) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#pick(this.active);
    } else if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      this.#close();
    } else if (event.key.length === 1) this.#jump(event.key);
  }

  #jump(letter: string): void {
    const { length } = this.options;
    const order = this.options.map((_, step) => (this.active + 1 + step) % length);
    const found = order.find((index) =>
      this.options[index]?.label.toLowerCase().startsWith(letter.toLowerCase()),
    );
    if (found !== undefined) this.active = found;
  }
}

customElements.define("page-select", PageSelect);
