import {
  type APIApplicationCommandIntegerOption,
  type APIApplicationCommandNumberOption,
  type APIApplicationCommandStringOption,
  ApplicationCommandOptionType as OptionType,
} from "discord-api-types/v10";
import type { HelloEvent } from "../../protocol.ts";
import { sizeText } from "../content/address.ts";
import { fixedListOf, isEmpty, type OptionField } from "./field.ts";

/** Why a field can't be sent as it is, in words; undefined when it can. */
export function checkField(field: OptionField, hello: HelloEvent | undefined): string | undefined {
  const { option } = field;
  if (isEmpty(field)) return option.required ? emptyWords(field) : undefined;
  if (field.file) return checkFile(field.file, hello?.attachmentLimit);
  if (field.chosen) return undefined;
  if (fixedListOf(field, hello)) return "Choose one from the list.";
  if (option.type === OptionType.String) return checkLength(field.text, option);
  if (option.type === OptionType.Integer || option.type === OptionType.Number)
    return checkNumber(field.text, option);
  return undefined;
}

export function checkFile(file: File, limit: number | undefined): string | undefined {
  if (limit === undefined || file.size <= limit) return undefined;
  return `${file.name} is too large: the limit is ${sizeText(limit)}.`;
}

function emptyWords({ option }: OptionField): string {
  return option.type === OptionType.Attachment ? "Attach a file." : "This option is required.";
}

function checkLength(text: string, option: APIApplicationCommandStringOption): string | undefined {
  const { min_length: min, max_length: max } = option as {
    min_length?: number;
    max_length?: number;
  };
  if (min !== undefined && text.length < min)
    return `Use at least ${min} characters; you have ${text.length}.`;
  if (max !== undefined && text.length > max)
    return `Use at most ${max} characters; you have ${text.length}.`;
  return undefined;
}

function checkNumber(
  text: string,
  option: APIApplicationCommandIntegerOption | APIApplicationCommandNumberOption,
): string | undefined {
  const { min_value: min, max_value: max } = option as { min_value?: number; max_value?: number };
  const value = Number(text);
  if (option.type === OptionType.Integer && !Number.isSafeInteger(value))
    return "Enter a whole number.";
  if (!Number.isFinite(value)) return "Enter a number.";
  if (min !== undefined && value < min) return `Enter ${min} or more.`;
  if (max !== undefined && value > max) return `Enter ${max} or less.`;
  return undefined;
}
