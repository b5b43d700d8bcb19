import { html, nothing, type TemplateResult } from "lit";

export const panelId = "option-list";
export const panelRowId = (index: number): string => `${panelId}-${index}`;

export interface PanelRow {
  readonly name: string;
  readonly description?: string | undefined;
  onPick(): void;
}

export interface PanelView {
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
  failed: html`Loading options failed.`,
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
