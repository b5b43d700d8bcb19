import { html, type TemplateResult } from "lit";
import { panelId, panelRowId } from "./options-panel.ts";

export interface TailView {
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
