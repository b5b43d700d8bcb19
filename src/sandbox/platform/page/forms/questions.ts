import {
  type APICheckboxComponent,
  type APICheckboxGroupComponent,
  type APIFileUploadComponent,
  type APIModalInteractionResponseCallbackData,
  type APIRadioGroupComponent,
  type APISelectMenuComponent,
  type APITextInputComponent,
  ComponentType,
  ApplicationCommandOptionType as OptionType,
} from "discord-api-types/v10";
import type { ShownOption } from "../composer/command-index.ts";
import { sizeText } from "../content/address.ts";

/** An option of a command that is typed: a text or a number, perhaps with suggestions. */
export interface OptionControl {
  readonly type: "option";
  readonly custom_id: string;
  readonly required: boolean;
  readonly option: ShownOption;
}

export type FormControl =
  | OptionControl
  | APITextInputComponent
  | APISelectMenuComponent
  | APIFileUploadComponent
  | APIRadioGroupComponent
  | APICheckboxGroupComponent
  | APICheckboxComponent;

/** One part of a form: words, or something to fill in. */
export type FormQuestion =
  | { readonly type: "words"; readonly text: string }
  | {
      readonly type: "control";
      readonly label: string;
      readonly description: string | undefined;
      readonly control: FormControl;
    };

/** The form's parts, whether in labels or in the action rows of older forms. */
export function readQuestions(
  form: APIModalInteractionResponseCallbackData,
): readonly FormQuestion[] {
  return form.components.flatMap((part): readonly FormQuestion[] => {
    switch (part.type) {
      case ComponentType.TextDisplay:
        return [{ type: "words", text: part.content }];
      case ComponentType.Label:
        return [
          {
            type: "control",
            label: part.label,
            description: part.description,
            control: part.component,
          },
        ];
      case ComponentType.ActionRow:
        return part.components.map((control) => ({
          type: "control",
          label: control.label ?? "",
          description: undefined,
          control,
        }));
      default:
        return [];
    }
  });
}

/** What is filled in so far, by custom id. A checkbox holds "true" or "false". */
export type FormAnswers = Readonly<Record<string, string | readonly string[] | readonly File[]>>;

export function firstAnswers(questions: readonly FormQuestion[]): FormAnswers {
  return Object.fromEntries(
    questions.flatMap((one) =>
      one.type === "control" ? [[one.control.custom_id, firstAnswer(one.control)]] : [],
    ),
  );
}

function firstAnswer(control: FormControl): FormAnswers[string] {
  switch (control.type) {
    case "option":
      return "";
    case ComponentType.TextInput:
      return control.value ?? "";
    case ComponentType.RadioGroup:
      return control.options.find((one) => one.default)?.value ?? "";
    case ComponentType.Checkbox:
      return String(control.default ?? false);
    case ComponentType.StringSelect:
    case ComponentType.CheckboxGroup:
      return control.options.filter((one) => one.default).map(({ value }) => value);
    case ComponentType.FileUpload:
      return [];
    default:
      return control.default_values?.map(({ id }) => id) ?? [];
  }
}

/** Why an answer can't be sent, in words; undefined when it can. */
export function checkAnswer(
  control: FormControl,
  answer: FormAnswers[string],
  maxFileBytes = Number.POSITIVE_INFINITY,
): string | undefined {
  switch (control.type) {
    case "option":
      return checkOption(control, String(answer));
    case ComponentType.TextInput: {
      const { required = true, min_length, max_length = 4_000 } = control;
      const text = String(answer);
      if (text.trim() === "") return required ? "This field is required." : undefined;
      return checkLength({ min_length, max_length }, text);
    }
    case ComponentType.RadioGroup:
      return control.required !== false && answer === "" ? "Choose one." : undefined;
    case ComponentType.Checkbox:
      return undefined;
    default: {
      const files = typeof answer === "string" ? [] : answer.filter((one) => one instanceof File);
      const tooLarge = files.find(({ size }) => size > maxFileBytes);
      if (tooLarge) return tooLargeText(tooLarge, maxFileBytes);
      return checkCount(control, Array.isArray(answer) ? answer.length : 0);
    }
  }
}

export function tooLargeText({ name }: File, maxBytes: number): string {
  return `${name} is too large: the limit is ${sizeText(maxBytes)}.`;
}

function checkOption({ option, required }: OptionControl, text: string): string | undefined {
  if (text.trim() === "") return required ? "This option is required." : undefined;
  // Suggested options have no limits, and what they hold may be the name of a suggestion.
  if (option.type === OptionType.String) return checkLength(option as TextLimits, text);
  if ("autocomplete" in option && option.autocomplete === true) return undefined;
  const { min_value: min, max_value: max } = option as { min_value?: number; max_value?: number };
  const value = Number(text);
  if (option.type === OptionType.Integer && !Number.isSafeInteger(value))
    return "Enter a whole number.";
  if (!Number.isFinite(value)) return "Enter a number.";
  if (min !== undefined && value < min) return `Enter ${min} or more.`;
  if (max !== undefined && value > max) return `Enter ${max} or less.`;
  return undefined;
}

interface TextLimits {
  readonly min_length?: number | undefined;
  readonly max_length?: number | undefined;
}

function checkLength(
  { min_length: min = 0, max_length: max = Number.POSITIVE_INFINITY }: TextLimits,
  text: string,
): string | undefined {
  if (text.length < min) return `Use at least ${min} characters; you have ${text.length}.`;
  if (text.length > max) return `Use at most ${max} characters; you have ${text.length}.`;
  return undefined;
}

type CountedControl = Exclude<FormControl, { type: "option" | 4 | 21 | 23 }>;

function checkCount(control: CountedControl, count: number): string | undefined {
  const isRequired = control.required !== false;
  const what = control.type === ComponentType.FileUpload ? "file" : "choice";
  const min = control.min_values ?? 1;
  const usualMax = control.type === ComponentType.CheckboxGroup ? control.options.length : 1;
  const max = control.max_values ?? usualMax;
  if (count === 0) {
    if (!isRequired || min === 0) return undefined;
    return what === "file" ? "Attach a file." : max === 1 ? "Choose one." : "Choose at least one.";
  }
  const verb = what === "file" ? "Attach" : "Choose";
  if (count < min) return `${verb} at least ${min}; you have ${count}.`;
  if (count > max) return `${verb} at most ${max}; you have ${count}.`;
  return undefined;
}
