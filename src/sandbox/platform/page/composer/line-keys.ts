import { type Field, isEmpty } from "./field.ts";
import type { PanelRow } from "./options-panel.ts";

/** What keys can do in a command line. */
interface LineKeys {
  /** The field that has the cursor; undefined behind the last one. */
  readonly field: Field | undefined;
  readonly rows: readonly PanelRow[];
  readonly active: number;
  onActive(index: number): void;
  send(): void;
  leave(): void;
  /** Backspace in an empty place. */
  stepBack(): void;
}

/** Whether the key did something here; what did nothing is the browser's. */
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
function mayStayEmpty(field: Field | undefined): boolean {
  return field !== undefined && isEmpty(field) && !field.option.required;
}
