import { html, nothing, type TemplateResult } from "lit";
import type { HelloEvent } from "../../protocol.ts";
import {
  type FieldChoice,
  fixedListOf,
  isAutocompleted,
  narrowList,
  type OptionField,
} from "./field.ts";
import type { Suggestions } from "./suggester.ts";

export const panelId = "option-list";
export const panelRowId = (index: number): string => `${panelId}-${index}`;

export interface PanelRow {
  readonly name: string;
  readonly description?: string | undefined;
  onPick(): void;
}

interface PanelView {
  readonly title: string;
  readonly description: string;
  readonly rows: readonly PanelRow[];
  readonly active: number;
  readonly note?: "loading" | "empty" | "failed" | undefined;
  onActive(index: number): void;
}

const notes = {
  loading: html`<span class="dots" aria-hidden="true"><i></i><i></i><i></i></span> Loading options…`,
  empty: html`No options match.`,
  failed: html`The options couldn’t be loaded.`,
};

/** What may be chosen for the option that has the cursor, or which further options there are. */
export function optionsPanel(view: PanelView): TemplateResult {
  return html`<div class="picker options-panel">
    <div class="panel-head"><strong>${view.title}</strong> <span>${view.description}</span></div>
    ${view.note ? html`<div class="panel-note" role="status" data-note=${view.note}>${notes[view.note]}</div>` : nothing}
    <div role="listbox" id=${panelId} aria-label=${view.title}>
      ${view.rows.map((row, index) => panelRow(row, index, view))}
    </div>
  </div>`;
}

function panelRow(row: PanelRow, index: number, view: PanelView): TemplateResult {
  const isActive = index === view.active;
  return html`<div
    class="picker-row ${isActive ? "active" : ""}"
    role="option"
    id=${panelRowId(index)}
    aria-selected=${isActive}
    data-choice=${row.name}
    @pointermove=${() => view.onActive(index)}
    @mousedown=${(event: Event) => event.preventDefault()}
    @click=${() => row.onPick()}
  >
    <span class="picker-text">
      <span class="picker-name">${row.name}</span>
      ${row.description ? html`<span class="picker-description">${row.description}</span>` : nothing}
    </span>
  </div>`;
}

export interface PanelFacts {
  readonly field: OptionField | undefined;
  readonly further: readonly OptionField["option"][];
  readonly tailText: string;
  readonly suggestions: Suggestions;
  readonly hello: HelloEvent | undefined;
  onChoose(choice: FieldChoice): void;
  onAdd(option: OptionField["option"]): void;
}

/** What the cursor's option can be chosen from. */
export function panelChoices(
  field: OptionField,
  { suggestions, hello }: Pick<PanelFacts, "suggestions" | "hello">,
): readonly FieldChoice[] {
  const list = fixedListOf(field, hello);
  return list ? narrowList(list, field) : suggestions.choices;
}

/** Choices for the option that has the cursor; behind the last option, the further ones. */
export function panelRows(facts: PanelFacts): readonly PanelRow[] {
  if (facts.field)
    return panelChoices(facts.field, facts).map((choice) => ({
      name: choice.name,
      onPick: () => facts.onChoose(choice),
    }));
  const text = facts.tailText.trim().toLowerCase();
  return facts.further
    .filter(({ name, label }) => name.includes(text) || label.includes(text))
    .map((option) => ({
      name: option.label,
      description: option.description,
      onPick: () => facts.onAdd(option),
    }));
}

type PanelHead = Pick<PanelView, "title" | "description" | "note">;

/** The panel's words; undefined when there is nothing to say. */
export function panelHead(facts: PanelFacts, rows: number): PanelHead | undefined {
  const { field } = facts;
  if (field) {
    const { label, description, required } = field.option;
    const words = required ? description : `${description} (optional)`;
    return { title: label, description: words, note: noteOf(field, rows, facts) };
  }
  if (rows === 0) return undefined;
  return { title: "Options", description: "More options for this command" };
}

function noteOf(field: OptionField, rows: number, facts: PanelFacts): PanelHead["note"] {
  if (fixedListOf(field, facts.hello)) return rows === 0 ? "empty" : undefined;
  if (!isAutocompleted(field)) return undefined;
  const { state } = facts.suggestions;
  if (state === "ready") return rows === 0 ? "empty" : undefined;
  return state === "idle" ? undefined : state;
}
