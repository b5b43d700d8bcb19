import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { PageElement } from "../element.ts";
import { showPopup } from "../popup.ts";
import { noSuggestions, Suggester, type Suggestion, type Suggestions } from "./suggester.ts";

const notes = {
  loading: html`<span class="dots" aria-hidden="true"><i></i><i></i><i></i></span> Loading options…`,
  ready: html`No options match.`,
  failed: html`The options couldn’t be loaded.`,
};

/**
 * `<page-option-input>`: a text field for an option of a command. Where `ask` is set, the bot suggests what to enter.
 * Sends `answer` with the text, and `choose` with the suggestion that was taken.
 */
class PageOptionInput extends PageElement {
  static override properties = {
    inputId: {},
    name: {},
    label: {},
    describedBy: {},
    value: {},
    isNumber: { type: Boolean },
    isRequired: { type: Boolean },
    isInvalid: { type: Boolean },
    ask: { attribute: false },
    suggestions: { state: true },
    active: { state: true },
  };
  declare inputId: string;
  declare name: string;
  declare label: string;
  declare describedBy: string;
  declare value: string;
  declare isNumber: boolean;
  declare isRequired: boolean;
  declare isInvalid: boolean;
  declare ask: ((text: string, signal: AbortSignal) => Promise<readonly Suggestion[]>) | undefined;
  declare suggestions: Suggestions;
  declare active: number;
  readonly #suggester = new Suggester((suggestions) => {
    this.suggestions = suggestions;
    // Nobody has typed yet: Enter sends the command, and chooses only what the arrows have reached.
    this.active = this.value === "" ? -1 : 0;
  });

  constructor() {
    super();
    this.suggestions = noSuggestions;
    this.active = 0;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#suggester.stop();
  }

  override updated(changed: PropertyValues<this>): void {
    const list = this.querySelector<HTMLElement>(".select-list");
    if (list && changed.has("suggestions")) showPopup(list, this, "width");
    if (changed.has("active")) list?.querySelector(".active")?.scrollIntoView({ block: "nearest" });
  }

  override render(): TemplateResult {
    const { state, choices } = this.suggestions;
    const isOpen = state !== "idle";
    return html`<input
        id=${this.inputId}
        type="text"
        autocomplete="off"
        spellcheck="false"
        inputmode=${this.isNumber ? "decimal" : "text"}
        role=${this.ask ? "combobox" : nothing}
        aria-expanded=${this.ask ? isOpen : nothing}
        aria-controls=${this.ask ? `${this.inputId}-list` : nothing}
        aria-activedescendant=${choices[this.active] ? `${this.inputId}-row-${this.active}` : nothing}
        aria-label=${this.label}
        aria-required=${this.isRequired}
        aria-invalid=${this.isInvalid}
        aria-describedby=${this.describedBy}
        data-field=${this.name}
        .value=${this.value}
        @input=${this.#onInput}
        @focus=${() => this.#suggest()}
        @blur=${() => this.#close()}
        @keydown=${this.#onKey}
      />
      ${isOpen ? this.#list(state) : nothing}`;
  }

  #list(state: keyof typeof notes): TemplateResult {
    const { choices } = this.suggestions;
    return html`<div class="select-list" popover="manual">
      ${choices.length > 0 ? nothing : html`<div class="list-note" role="status">${notes[state]}</div>`}
      <div role="listbox" id="${this.inputId}-list" aria-label=${this.label}>
        ${choices.map(
          (choice, index) => html`<div
            class="select-option ${index === this.active ? "active" : ""}"
            role="option"
            id="${this.inputId}-row-${index}"
            aria-selected=${index === this.active}
            @pointermove=${() => {
              this.active = index;
            }}
            @mousedown=${(event: Event) => event.preventDefault()}
            @click=${() => this.#choose(choice)}
          >
            <span class="select-text">${choice.name}</span>
          </div>`,
        )}
      </div>
    </div>`;
  }

  #suggest(): void {
    const { ask, value } = this;
    if (ask) this.#suggester.ask((signal) => ask(value, signal));
  }

  #close(): void {
    this.#suggester.stop();
    this.suggestions = noSuggestions;
  }

  #choose(choice: Suggestion): void {
    this.#close();
    this.value = choice.name;
    this.dispatchEvent(new CustomEvent("choose", { detail: choice }));
  }

  #onInput(event: Event): void {
    this.value = (event.target as HTMLInputElement).value;
    this.dispatchEvent(new CustomEvent("answer", { detail: this.value }));
    this.#suggest();
  }

  #onKey(event: KeyboardEvent): void {
    const { choices, state } = this.suggestions;
    const chosen = choices[this.active];
    if (event.key === "Escape" && state !== "idle") this.#close();
    else if (event.key === "Enter" && chosen && !event.isComposing) this.#choose(chosen);
    else if (choices.length > 0 && event.key === "ArrowDown") {
      this.active = (this.active + 1) % choices.length;
    } else if (choices.length > 0 && event.key === "ArrowUp") {
      this.active = (Math.max(this.active, 0) + choices.length - 1) % choices.length;
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

customElements.define("page-option-input", PageOptionInput);
