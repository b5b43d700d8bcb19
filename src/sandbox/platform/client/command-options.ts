import type { APIApplicationCommand } from "discord-api-types/v10";
import { type CheckedFields, countTextCharacters, isObject } from "../check/check.ts";
import { ActionError } from "../interaction.ts";
import type { TypedOption } from "../protocol.ts";
import type { ResolvedEntities } from "./resolved-entities.ts";

/** What an interaction's `options` holds for one option. */
interface SentOption {
  readonly name: string;
  readonly type: number;
  readonly value?: string | number | boolean;
  readonly options?: readonly SentOption[];
  readonly focused?: true;
}

interface CommandInput {
  readonly path: readonly string[];
  readonly typed: readonly TypedOption[];
  readonly resolved: ResolvedEntities;
  /** The option with the cursor; then nothing is demanded yet. */
  readonly focused?: string;
}

function optionFields(value: unknown): readonly CheckedFields[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function fail(option: CheckedFields, words: string): never {
  throw new ActionError(`Option "${String(option.name)}": ${words}`);
}

type OptionValue = string | number | boolean;

/** A choice is meant by its value, or by its name in whichever language it was seen. */
function pick(option: CheckedFields, value: OptionValue): OptionValue {
  const choices = optionFields(option.choices);
  if (choices.length === 0) return value;
  const found =
    choices.find((each) => each.value === value) ??
    choices.find(({ name, name_localizations: translations }) => {
      return [name, ...(isObject(translations) ? Object.values(translations) : [])].includes(value);
    });
  if (found === undefined) fail(option, "choose one of the offered values.");
  return found.value as OptionValue;
}

function text(option: CheckedFields, value: OptionValue): OptionValue {
  if (typeof value !== "string") fail(option, "a text is needed.");
  const { min_length: min, max_length: max } = option;
  const length = countTextCharacters(value);
  if (length === 0) fail(option, "it may not be empty.");
  if (typeof min === "number" && length < min) fail(option, `at least ${min} characters.`);
  if (length > (typeof max === "number" ? max : 6_000)) fail(option, "the text is too long.");
  return pick(option, value);
}

function number(option: CheckedFields, typedValue: OptionValue): OptionValue {
  const value = pick(option, typedValue);
  if (typeof value !== "number" || !Number.isFinite(value)) fail(option, "a number is needed.");
  const { min_value: min, max_value: max } = option;
  if (option.type === 4 && !Number.isInteger(value)) fail(option, "a whole number is needed.");
  if (typeof min === "number" && value < min) fail(option, `at least ${min}.`);
  if (typeof max === "number" && value > max) fail(option, `at most ${max}.`);
  return value;
}

type OptionReader = (
  option: CheckedFields,
  value: OptionValue,
  resolved: ResolvedEntities,
) => OptionValue;

/** Which kinds of channels are offered; all of them when it does not say. */
export function offeredChannelTypes({
  channel_types: types,
}: CheckedFields): readonly unknown[] | undefined {
  return Array.isArray(types) && types.length > 0 ? types : undefined;
}

function entity(kind: "user" | "role" | "mentionable"): OptionReader {
  return (_, value, resolved) => {
    resolved[kind](String(value));
    return String(value);
  };
}

const readers: Readonly<Record<number, OptionReader>> = {
  3: text,
  4: number,
  5: (option, value) => (typeof value === "boolean" ? value : fail(option, "true or false.")),
  6: entity("user"),
  7: (option, value, resolved) => {
    resolved.channel(String(value), offeredChannelTypes(option));
    return String(value);
  },
  8: entity("role"),
  9: entity("mentionable"),
  10: number,
  11: (option, value, resolved) =>
    typeof value === "string" ? resolved.file(value) : fail(option, "a file is needed."),
};

const attachment = 11;

/** The other options are sent along where they are complete and valid: no files, and nothing half typed. */
function readBeside(
  option: CheckedFields,
  value: OptionValue,
  resolved: ResolvedEntities,
): OptionValue | undefined {
  if (option.type === attachment) return undefined;
  try {
    return (readers[Number(option.type)] ?? text)(option, value, resolved);
  } catch (error) {
    if (error instanceof ActionError) return undefined;
    throw error;
  }
}

function leaves(known: readonly CheckedFields[], input: CommandInput): SentOption[] {
  const { typed, resolved, focused } = input;
  for (const { name } of typed) {
    if (!known.some((option) => option.name === name)) {
      throw new ActionError(`There is no option "${name}".`);
    }
  }
  return known.flatMap((option) => {
    const typedValue = typed.find(({ name }) => name === option.name);
    const head = { name: String(option.name), type: Number(option.type) };
    if (focused === option.name) {
      if (option.autocomplete !== true) fail(option, "it has no suggestions.");
      // What is typed so far travels as text whatever the option's type.
      return [{ ...head, value: String(typedValue?.value ?? ""), focused: true as const }];
    }
    if (typedValue === undefined) {
      if (option.required === true && focused === undefined) fail(option, "it is required.");
      return [];
    }
    const read = readers[head.type] ?? text;
    if (focused === undefined)
      return [{ ...head, value: read(option, typedValue.value, resolved) }];
    const value = readBeside(option, typedValue.value, resolved);
    return value === undefined ? [] : [{ ...head, value }];
  });
}

export function optionAt(
  command: APIApplicationCommand,
  path: readonly string[],
  name: string,
): CheckedFields | undefined {
  let known = optionFields(command.options);
  for (const step of path) {
    known = optionFields(known.find((option) => option.name === step)?.options);
  }
  return known.find((option) => option.name === name);
}

/**
 * Options as the client would send them: checked against the command as it was registered.
 * @throws ActionError what is missing or out of range.
 */
export function sendOptions(command: APIApplicationCommand, input: CommandInput): SentOption[] {
  function below(known: readonly CheckedFields[], path: readonly string[]): SentOption[] {
    const nested = known.filter((option) => option.type === 1 || option.type === 2);
    const [step, ...rest] = path;
    if (step === undefined) {
      if (nested.length > 0) throw new ActionError(`"/${command.name}" needs a subcommand.`);
      return leaves(known, input);
    }
    const found = nested.find((option) => option.name === step);
    if (found === undefined)
      throw new ActionError(`"/${command.name}" has no subcommand "${step}".`);
    const options = below(optionFields(found.options), rest);
    return [{ name: step, type: Number(found.type), options }];
  }

  return below(optionFields(command.options), input.path);
}
