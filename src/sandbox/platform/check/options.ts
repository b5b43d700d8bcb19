import {
  allOf,
  anything,
  array,
  boolean,
  byType,
  type Check,
  type CheckedFields,
  exactString,
  type FieldChecks,
  integer,
  isObject,
  number,
  object,
  required,
  string,
} from "./check.ts";
import { distinctNames, localizedField, slashName } from "./names.ts";

const safeInteger = 2 ** 53;

const described = {
  type: required(integer(1, 11)),
  name: required(slashName),
  name_localizations: localizedField(slashName),
  description: required(string(1, 100)),
  description_localizations: localizedField(string(1, 100)),
};

const sameChoice = [
  "APPLICATION_COMMAND_OPTIONS_CHOICE_DUPLICATE",
  "Option choices must be unique",
] as const;

function choices(value: Check): Check {
  const each = object({
    name: required(string(1, 100)),
    name_localizations: localizedField(string(1, 100)),
    value: required(value),
  });
  return allOf(array(each, 0, 25), distinctNames(...sameChoice), (option, report) => {
    if (!Array.isArray(option)) return;
    const seen = new Set<unknown>();
    for (const [index, item] of option.entries()) {
      if (!isObject(item)) continue;
      if (seen.has(item.value))
        report
          .at(index)
          .at("value")
          .fail(...sameChoice);
      seen.add(item.value);
    }
  });
}

const leaf = { ...described, required: boolean };

const notBoth: Check = (option, report) => {
  const value = isObject(option) ? usedFields(option) : {};
  if (value.autocomplete !== true) return;
  if (Array.isArray(value.choices) && value.choices.length > 0) {
    report
      .at("autocomplete")
      .fail(
        "APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_CHOICES",
        "Autocomplete options cannot have choices",
      );
  }
};

function numeric(number: (min: number, max: number) => Check) {
  const value = number(-safeInteger, safeInteger);
  return {
    ...leaf,
    choices: choices(value),
    autocomplete: boolean,
    min_value: value,
    max_value: value,
  };
}

const leafFields = {
  3: {
    ...leaf,
    choices: choices(exactString(1, 100)),
    autocomplete: boolean,
    min_length: integer(0, 6_000),
    max_length: integer(1, 6_000),
  },
  4: numeric(integer),
  5: leaf,
  6: leaf,
  7: { ...leaf, channel_types: array(integer(0, 16), 0, 20) },
  8: leaf,
  9: leaf,
  10: numeric(number),
  11: leaf,
} as const satisfies Readonly<Record<number, FieldChecks>>;

const branchFields = { ...described, options: anything, required: boolean };
const allFields: Readonly<Record<string, FieldChecks>> = {
  ...leafFields,
  1: branchFields,
  2: branchFields,
};

/** Fields that only other types have may be there, without effect and whatever their value. */
const unused = Object.fromEntries(
  Object.values(allFields).flatMap((fields) => Object.keys(fields).map((name) => [name, anything])),
);

function optionCheck(fields: FieldChecks): Check {
  return allOf(object({ ...unused, ...fields }), notBoth);
}

const leaves: Readonly<Record<number, Check>> = Object.fromEntries(
  Object.entries(leafFields).map(([type, fields]) => [type, optionCheck(fields)]),
);

/** An option with nothing but what its type uses; the platform forgets the rest. */
export function usedFields(option: CheckedFields): CheckedFields {
  const used = allFields[String(option.type)] ?? {};
  return Object.fromEntries(Object.entries(option).filter(([name]) => Object.hasOwn(used, name)));
}

const sameName = distinctNames(
  "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS",
  "Option name already exists in this options list",
);

const ordered: Check = (value, report) => {
  if (!Array.isArray(value)) return;
  let sawOptional = false;
  for (const [index, option] of value.filter(isObject).entries()) {
    if (option.required === true && sawOptional) {
      report
        .at(index)
        .fail(
          "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
          "Required options must be placed before non-required options",
        );
    }
    sawOptional ||= option.required !== true;
  }
};

function options(kinds: Readonly<Record<number, Check>>): Check {
  return allOf(array(byType(kinds), 0, 25), sameName, ordered);
}

const subcommand = optionCheck({ ...branchFields, options: options(leaves) });
const group = optionCheck({ ...branchFields, options: options({ 1: subcommand }) });

const unmixed: Check = (value, report) => {
  if (!Array.isArray(value)) return;
  const below = value.filter(
    (option) => isObject(option) && (option.type === 1 || option.type === 2),
  );
  if (below.length > 0 && below.length < value.length) {
    report.fail(
      "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
      "Sub-command and sub-command group option types are mutually exclusive to all other types",
    );
  }
};

export const commandOptions: Check = allOf(
  options({ ...leaves, 1: subcommand, 2: group }),
  unmixed,
);

function suggestions(value: Check): Check {
  return object({
    choices: required(
      array(
        object({
          name: required(string(1, 100)),
          name_localizations: localizedField(string(1, 100)),
          value: required(value),
        }),
        0,
        25,
      ),
    ),
  });
}

/** What a callback of type 8 carries, by the type of the focused option. */
export const suggestionChecks: Readonly<Record<number, Check>> = {
  3: suggestions(exactString(1, 100)),
  4: suggestions(integer(-safeInteger, safeInteger)),
  10: suggestions(number(-safeInteger, safeInteger)),
};
