import { type APITextInputComponent, ComponentType } from "discord-api-types/v10";
import type { Answers, Control } from "./questions.ts";

/** Why an answer can't be sent, in words; undefined when it can. */
export function checkAnswer(control: Control, answer: Answers[string]): string | undefined {
  switch (control.type) {
    case ComponentType.TextInput:
      return checkText(control, String(answer));
    case ComponentType.RadioGroup:
      return control.required !== false && answer === "" ? "Choose one." : undefined;
    case ComponentType.Checkbox:
      return undefined;
    default:
      return checkCount(control, Array.isArray(answer) ? answer.length : 0);
  }
}

function checkText(
  { required = true, min_length: min = 0, max_length: max = 4_000 }: APITextInputComponent,
  text: string,
): string | undefined {
  if (text.trim() === "") return required ? "This field is required." : undefined;
  if (text.length < min) return `At least ${min} characters, now ${text.length}.`;
  if (text.length > max) return `At most ${max} characters, now ${text.length}.`;
  return undefined;
}

type Counted = Exclude<Control, { type: 4 | 21 | 23 }>;

function checkCount(control: Counted, count: number): string | undefined {
  const isRequired = control.required !== false;
  const what = control.type === ComponentType.FileUpload ? "file" : "choice";
  const min = control.min_values ?? 1;
  const max = maxOf(control);
  if (count === 0) {
    if (!isRequired || min === 0) return undefined;
    return what === "file" ? "Attach a file." : max === 1 ? "Choose one." : "Choose at least one.";
  }
  if (count < min) return `At least ${min} ${what}s, now ${count}.`;
  if (count > max) return `At most ${max} ${what}${max === 1 ? "" : "s"}, now ${count}.`;
  return undefined;
}

function maxOf(control: Counted): number {
  if (control.type === ComponentType.CheckboxGroup)
    return control.max_values ?? control.options.length;
  return control.max_values ?? 1;
}
