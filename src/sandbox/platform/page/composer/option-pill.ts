import { ApplicationCommandOptionType as OptionType } from "discord-api-types/v10";
import { html, nothing, type TemplateResult } from "lit";
import { icons } from "../content/icons.ts";
import type { Field } from "./field.ts";
import { panelId, panelRowId } from "./options-panel.ts";

interface PillView {
  readonly field: Field;
  readonly index: number;
  readonly error: string | undefined;
  /** Row of the panel that Enter would choose; -1 for none. */
  readonly active: number;
  readonly isFocused: boolean;
  onText(text: string): void;
  onKey(event: KeyboardEvent): void;
  onFocus(): void;
  onFiles(files: readonly File[]): void;
  onRemove(): void;
}

export const pillInputId = (index: number): string => `option-${index}`;

/** One option of the command line: its name and what is entered for it. */
export function optionPill(view: PillView): TemplateResult {
  const { field, error, index } = view;
  const { name, label, required } = field.option;
  const errorId = `${pillInputId(index)}-error`;
  return html`<div class="pill ${error ? "invalid" : ""} ${view.isFocused ? "focused" : ""}" data-option=${name}>
    <label class="pill-name" for=${pillInputId(index)}>${label}</label>
    ${field.option.type === OptionType.Attachment ? fileControl(view, errorId) : textControl(view, errorId)}
    ${required ? nothing : html`<button type="button" class="pill-remove" aria-label="Remove ${label}" tabindex="-1" @click=${view.onRemove}>${icons.close}</button>`}
    ${error ? html`<span class="sr-only" id=${errorId}>${error}</span>` : nothing}
  </div>`;
}

function textControl(view: PillView, errorId: string): TemplateResult {
  const { field, index, error } = view;
  const isNumber =
    field.option.type === OptionType.Integer || field.option.type === OptionType.Number;
  return html`<input
    id=${pillInputId(index)}
    class="pill-input"
    type="text"
    autocomplete="off"
    spellcheck="false"
    inputmode=${isNumber ? "decimal" : "text"}
    size=${Math.max(2, Math.min(40, field.text.length + 1))}
    role="combobox"
    aria-expanded=${view.isFocused}
    aria-controls=${panelId}
    aria-activedescendant=${view.isFocused && view.active >= 0 ? panelRowId(view.active) : ""}
    aria-label=${field.option.label}
    aria-required=${field.option.required ?? false}
    aria-invalid=${error !== undefined}
    aria-describedby=${error ? errorId : ""}
    .value=${field.text}
    @input=${(event: Event) => view.onText((event.target as HTMLInputElement).value)}
    @keydown=${view.onKey}
    @focus=${view.onFocus}
  />`;
}

/** The file itself is shown on a card above the line; this is its place in the line. */
function fileControl(view: PillView, errorId: string): TemplateResult {
  const { field, index, error } = view;
  const choose = (event: Event) =>
    (event.currentTarget as HTMLElement).parentElement?.querySelector("input")?.click();
  return html`<button
      type="button"
      id=${pillInputId(index)}
      class="pill-file"
      aria-label="${field.option.label}: ${field.file?.name ?? "choose a file"}"
      aria-describedby=${error ? errorId : ""}
      @click=${choose}
      @keydown=${(event: KeyboardEvent) => event.key !== " " && !(event.key === "Enter" && !field.file) && view.onKey(event)}
      @focus=${view.onFocus}
    >
      ${field.file?.name ?? "Choose a file"}</button
    ><input
      type="file"
      hidden
      data-option-file=${field.option.name}
      aria-label="${field.option.label} file"
      @change=${(event: Event) => {
        const input = event.target as HTMLInputElement;
        view.onFiles([...(input.files ?? [])]);
        input.value = "";
      }}
    />`;
}

interface TailView {
  readonly text: string;
  /** How many options could still be added. */
  readonly further: number;
  readonly active: number;
  readonly isFocused: boolean;
  onText(text: string): void;
  onKey(event: KeyboardEvent): void;
  onFocus(): void;
}

export const tailId = "option-tail";

/** The place behind the last option, where further ones are added. */
export function lineTail(view: TailView): TemplateResult {
  return html`<input
    id=${tailId}
    class="pill-tail"
    type="text"
    autocomplete="off"
    role="combobox"
    aria-label="Add an option"
    aria-expanded=${view.isFocused}
    aria-controls=${panelId}
    aria-activedescendant=${view.isFocused && view.active >= 0 ? panelRowId(view.active) : ""}
    placeholder=${view.further > 0 ? `+${view.further} more` : ""}
    size=${Math.max(8, view.text.length + 1)}
    .value=${view.text}
    @input=${(event: Event) => view.onText((event.target as HTMLInputElement).value)}
    @keydown=${view.onKey}
    @focus=${view.onFocus}
  />`;
}
