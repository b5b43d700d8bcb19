import {
  type APIApplicationCommandOptionChoice,
  ComponentType,
  ApplicationCommandOptionType as OptionType,
} from "discord-api-types/v10";
import type { TypedOption } from "../../protocol.ts";
import type { FormAnswers, FormControl, FormQuestion } from "../forms/questions.ts";
import type { ShownOption } from "./command-index.ts";

/** A command's options as the questions of a form. */
export function commandQuestions(options: readonly ShownOption[]): readonly FormQuestion[] {
  return options.map((option) => ({
    type: "control",
    label: option.label,
    description: option.description,
    control: controlFor(option),
  }));
}

function controlFor(option: ShownOption): FormControl {
  const { name: custom_id, required = false } = option;
  const select = { custom_id, required, min_values: required ? 1 : 0 };
  switch (option.type) {
    case OptionType.User:
      return { ...select, type: ComponentType.UserSelect };
    case OptionType.Role:
      return { ...select, type: ComponentType.RoleSelect };
    case OptionType.Mentionable:
      return { ...select, type: ComponentType.MentionableSelect };
    case OptionType.Channel: {
      const types = option.channel_types && { channel_types: [...option.channel_types] };
      return { ...select, ...types, type: ComponentType.ChannelSelect };
    }
    case OptionType.Attachment:
      return { custom_id, required, type: ComponentType.FileUpload };
    default: {
      const choices = choicesFor(option);
      if (!choices) return { type: "option", custom_id, required, option };
      const options = choices.map(({ name, value }) => ({ label: name, value: String(value) }));
      return { ...select, type: ComponentType.StringSelect, options };
    }
  }
}

function choicesFor(
  option: ShownOption,
): readonly { readonly name: string; readonly value: TypedOption["value"] }[] | undefined {
  if (option.type === OptionType.Boolean)
    return [
      { name: "True", value: true },
      { name: "False", value: false },
    ];
  if (!("choices" in option) || !option.choices?.length) return undefined;
  return option.choices as readonly APIApplicationCommandOptionChoice[];
}

/** What is sent for an option, files aside; undefined while nothing is entered. */
export function optionValue(
  option: ShownOption,
  answer: FormAnswers[string],
): TypedOption["value"] | undefined {
  const [chosen] = typeof answer === "string" ? [answer] : answer;
  if (typeof chosen !== "string" || chosen.trim() === "") return undefined;
  if (option.type === OptionType.Boolean) return chosen === "true";
  const isNumeric = option.type === OptionType.Integer || option.type === OptionType.Number;
  return isNumeric ? Number(chosen) : chosen;
}
