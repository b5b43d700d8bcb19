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

/** At most 25 names, each with a value. */
function choiceList(value: Check): Check {
  const each = object({
    name: required(string(1, 100)),
    name_localizations: localizedField(string(1, 100)),
    value: required(value),
  });
  return array(each, 0, 25);
}

function choices(value: Check): Check {
  return allOf(choiceList(value), distinctNames(...sameChoice), (option, report) => {
    if (!Array.isArray(option)) return;
    const seen = new Set<unknown>();
    for (const [index, item] of option.entries()) {
      if (!isObject(item)) continue;
      const place = report.at(index).at("value");
      if (seen.has(item.value)) place.fail(...sameChoice);
      seen.add(item.value);
    }
  });
}

const leaf = { ...described, required: boolean };

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
  return allOf(object({ ...unused, ...fields }), (option, report) => {
    const { autocomplete, choices } = isObject(option) ? usedFields(option) : {};
    if (autocomplete !== true || !Array.isArray(choices) || choices.length === 0) return;
    const message = "Autocomplete options cannot have choices";
    report.at("autocomplete").fail("APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_CHOICES", message);
  });
}

const leaves: Readonly<Record<number, Check>> = Object.fromEntries(
  Object.entries(leafFields).map(([type, fields]) => [type, optionCheck(fields)]),
);

/** An option with nothing but what its type uses; Discord forgets the rest. */
export function usedFields(option: CheckedFields): CheckedFields {
  const used = allFields[String(option.type)] ?? {};
  return Object.fromEntries(Object.entries(option).filter(([name]) => Object.hasOwn(used, name)));
}

const sameName = distinctNames(
  "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS",
  "Option name already exists in this options list",
);

function options(kinds: Readonly<Record<number, Check>>): Check {
  return allOf(array(byType(kinds), 0, 25), sameName, (value, report) => {
    const all = Array.isArray(value) ? value.filter(isObject) : [];
    const firstOptional = all.findIndex((option) => option.required !== true);
    for (const [index, option] of all.entries()) {
      if (option.required !== true || firstOptional < 0 || index < firstOptional) continue;
      const message = "Required options must be placed before non-required options";
      report.at(index).fail("APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", message);
    }
  });
}

const subcommand = optionCheck({ ...branchFields, options: options(leaves) });
const group = optionCheck({ ...branchFields, options: options({ 1: subcommand }) });

export const commandOptions: Check = allOf(
  options({ ...leaves, 1: subcommand, 2: group }),
  (value, report) => {
    if (!Array.isArray(value)) return;
    const below = value.filter(
      (option) => isObject(option) && (option.type === 1 || option.type === 2),
    );
    if (below.length === 0 || below.length === value.length) return;
    report.fail(
      "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
      "Sub-command and sub-command group option types are mutually exclusive to all other types",
    );
  },
);

/** What a callback of type 8 carries, by the type of the focused option. */
export const suggestionChecks: Readonly<Record<number, Check>> = {
  3: object({ choices: required(choiceList(exactString(1, 100))) }),
  4: object({ choices: required(choiceList(integer(-safeInteger, safeInteger))) }),
  10: object({ choices: required(choiceList(number(-safeInteger, safeInteger))) }),
};
