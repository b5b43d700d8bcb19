import type { HelloEvent } from "../../protocol.ts";
import { type Choice, type Field, isAutocompleted, listOf, narrow } from "./field.ts";
import type { PanelRow, PanelView } from "./options-panel.ts";
import type { Suggestions } from "./suggester.ts";

export interface PanelFacts {
  readonly field: Field | undefined;
  readonly further: readonly Field["option"][];
  readonly tailText: string;
  readonly suggestions: Suggestions;
  readonly hello: HelloEvent | undefined;
  onChoose(choice: Choice): void;
  onAdd(option: Field["option"]): void;
}

/** What the cursor's option can be chosen from. */
export function choicesOf(
  field: Field,
  { suggestions, hello }: Pick<PanelFacts, "suggestions" | "hello">,
): readonly Choice[] {
  const list = listOf(field, hello);
  return list ? narrow(list, field) : suggestions.choices;
}

/** Choices for the option that has the cursor; behind the last option, the further ones. */
export function panelRows(facts: PanelFacts): readonly PanelRow[] {
  if (facts.field)
    return choicesOf(facts.field, facts).map((choice) => ({
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

type Head = Pick<PanelView, "title" | "description" | "note">;

/** The panel's words; undefined when there is nothing to say. */
export function panelHead(facts: PanelFacts, rows: number): Head | undefined {
  const { field } = facts;
  if (field) {
    const { label, description, required } = field.option;
    const words = required ? description : `${description} (optional)`;
    return { title: label, description: words, note: noteOf(field, rows, facts) };
  }
  if (rows === 0) return undefined;
  return { title: "Options", description: "Further options of this command" };
}

function noteOf(field: Field, rows: number, facts: PanelFacts): Head["note"] {
  if (listOf(field, facts.hello)) return rows === 0 ? "empty" : undefined;
  if (!isAutocompleted(field)) return undefined;
  const { state } = facts.suggestions;
  if (state === "ready") return rows === 0 ? "empty" : undefined;
  return state === "idle" ? undefined : state;
}
