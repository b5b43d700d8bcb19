import type { APIUser } from "discord-api-types/v10";
import { html, nothing, type TemplateResult } from "lit";
import { avatar } from "../channel/author.ts";
import type { CommandEntry } from "./command-index.ts";

interface PickerView {
  readonly entries: readonly CommandEntry[];
  readonly active: number;
  readonly bot: APIUser;
  onActive(index: number): void;
  onPick(entry: CommandEntry): void;
}

export const pickerId = "command-picker";
export const pickerRowId = (index: number): string => `${pickerId}-${index}`;

/** The list over the message box while a `/` is typed. */
export function picker(view: PickerView): TemplateResult {
  const { entries, bot } = view;
  return html`<div class="picker" id=${pickerId} role="listbox" aria-label="Commands">
    ${entries.map((entry, index) => {
      const isFirstOfGroup = index === 0 || entries[index - 1]?.group !== entry.group;
      const title = entry.group ? `/${entry.group}` : bot.username;
      return html`${isFirstOfGroup ? html`<div class="menu-title" role="presentation">${title}</div>` : nothing}
      ${row(entry, index, view)}`;
    })}
    ${entries.length === 0 ? html`<div class="picker-empty">No matching commands.</div>` : nothing}
  </div>`;
}

/** Beside a command: its required options, and some of the others. */
const maxShownOptions = 4;

function optionNames({ options }: CommandEntry): readonly TemplateResult[] {
  const required = options.filter((option) => option.required).length;
  const shown = options.slice(0, Math.max(required, maxShownOptions));
  const rest = options.length - shown.length;
  return [
    ...shown.map(
      ({ label, required: isNeeded }) =>
        html`<span class="picker-option ${isNeeded ? "required" : ""}">${label}</span>`,
    ),
    ...(rest > 0 ? [html`<span class="picker-option more">+${rest}</span>`] : []),
  ];
}

function row(entry: CommandEntry, index: number, view: PickerView): TemplateResult {
  const isActive = index === view.active;
  return html`<div
    class="picker-row ${isActive ? "active" : ""}"
    role="option"
    id=${pickerRowId(index)}
    aria-selected=${isActive}
    data-command=${entry.name}
    @pointermove=${() => view.onActive(index)}
    @mousedown=${(event: Event) => event.preventDefault()}
    @click=${() => view.onPick(entry)}
  >
    ${avatar(view.bot, "small")}
    <span class="picker-text">
      <span class="picker-name"
        ><span>/${entry.label}</span>${optionNames(entry)}</span
      >
      <span class="picker-description">${entry.description}</span>
    </span>
  </div>`;
}
