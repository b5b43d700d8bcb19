import { ApplicationCommandOptionType as OptionType } from "discord-api-types/v10";
import { html, nothing, type TemplateResult } from "lit";
import type { TypedOption } from "../../protocol.ts";
import { icons } from "../content/icons.ts";
import type { PageSession } from "../page-session.ts";
import type { CommandEntry } from "./command-index.ts";
import { isEmpty, type OptionField, valueOfField } from "./field.ts";
import { type PanelRow, panelId, panelRowId } from "./options-panel.ts";

interface PillView {
  readonly field: OptionField;
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

/** What keys can do in a command line. */
interface LineKeys {
  /** The field that has the cursor; undefined behind the last one. */
  readonly field: OptionField | undefined;
  readonly rows: readonly PanelRow[];
  readonly active: number;
  onActive(index: number): void;
  send(): void;
  leave(): void;
  /** Backspace in an empty place. */
  stepBack(): void;
}

/** Returns whether the key was handled; the browser handles the rest. */
export function pressLineKey(event: KeyboardEvent, keys: LineKeys): boolean {
  const row = keys.field?.chosen ? undefined : keys.rows[keys.active];
  switch (event.key) {
    case "ArrowDown":
    case "ArrowUp":
      return step(event.key === "ArrowDown" ? 1 : -1, keys);
    case "Enter":
      if (row) row.onPick();
      else keys.send();
      return true;
    case "Tab":
      if (event.shiftKey || !row || mayStayEmpty(keys.field)) return false;
      row.onPick();
      return true;
    case "Escape":
      keys.leave();
      return true;
    case "Backspace":
      if (event.target instanceof HTMLInputElement && event.target.value !== "") return false;
      keys.stepBack();
      return true;
    default:
      return false;
  }
}

function step(by: 1 | -1, { rows, active, onActive }: LineKeys): boolean {
  if (rows.length === 0) return false;
  // From "none" one step up is the last row, one step down the first.
  const from = active < 0 && by < 0 ? 0 : active;
  onActive((from + by + rows.length) % rows.length);
  return true;
}

/** Tab goes past an optional option that is left empty. */
function mayStayEmpty(field: OptionField | undefined): boolean {
  return field !== undefined && isEmpty(field) && !field.option.required;
}

/** Uploads the line's files and gives the command to the platform; rejects with an `ActError`. */
export async function sendCommand(
  session: PageSession,
  entry: CommandEntry,
  fields: readonly OptionField[],
): Promise<void> {
  const { channelId } = session.state;
  const options: TypedOption[] = [];
  for (const field of fields) {
    const value = field.file ? await session.client.upload(field.file) : valueOfField(field);
    if (value !== undefined) options.push({ name: field.option.name, value });
  }
  const { commandId, path, name } = entry;
  await session.command({ channelId, commandId, path, options }, name);
}
