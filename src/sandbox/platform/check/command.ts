import {
  all,
  byType,
  type Check,
  choice,
  decimal,
  exactText,
  type Fields,
  flag,
  isFields,
  lengthOf,
  list,
  required,
  shape,
  snowflake,
  text,
  whole,
} from "./check.ts";

// https://docs.discord.com/developers/reference#locales
export const locales: readonly string[] = (
  "id da de en-GB en-US es-ES es-419 fr hr it lt hu nl no pl pt-BR ro fi sv-SE vi tr cs el bg ru uk hi th " +
  "zh-CN ja zh-TW ko"
).split(" ");

// https://docs.discord.com/developers/interactions/application-commands
const maxCommandText = 8_000;
const safeInteger = 2 ** 53;
export const commandLimits: Readonly<Record<number, number>> = { 1: 100, 2: 15, 3: 15 };

const slashName: Check = (value, report) => {
  text(1, 32)(value, report);
  if (typeof value !== "string") return;
  const isNamed = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u.test(value);
  if (!isNamed || value !== value.toLowerCase()) {
    report.fail("APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid");
  }
};

function localized(of: Check): Check {
  return (value, report) => {
    if (!isFields(value)) {
      return report.fail("DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType");
    }
    for (const [locale, words] of Object.entries(value)) {
      if (!locales.includes(locale)) {
        report.at(locale).fail("BASE_TYPE_CHOICES", "Value must be one of the known locales.");
      } else if (words !== null) of(words, report.at(locale));
    }
  };
}

const described = {
  type: required(whole(1, 11)),
  name: required(slashName),
  name_localizations: localized(slashName),
  description: required(text(1, 100)),
  description_localizations: localized(text(1, 100)),
};

function choices(value: Check): Check {
  const each = shape({
    name: required(text(1, 100)),
    name_localizations: localized(text(1, 100)),
    value: required(value),
  });
  return all(list(each, 0, 25), (given, report) => {
    if (!Array.isArray(given)) return;
    for (const key of ["name", "value"]) {
      const seen = new Set<unknown>();
      for (const [index, item] of given.entries()) {
        if (!isFields(item)) continue;
        if (seen.has(item[key])) {
          report
            .at(index)
            .at(key)
            .fail("APPLICATION_COMMAND_OPTIONS_CHOICE_DUPLICATE", "Option choices must be unique");
        }
        seen.add(item[key]);
      }
    }
  });
}

const leaf = { ...described, required: flag };

const notBoth: Check = (value, report) => {
  if (!isFields(value) || value.autocomplete !== true) return;
  if (Array.isArray(value.choices) && value.choices.length > 0) {
    report
      .at("autocomplete")
      .fail(
        "APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_CHOICES",
        "Autocomplete options cannot have choices",
      );
  }
};

function numeric(number: (min: number, max: number) => Check): Check {
  const value = number(-safeInteger, safeInteger);
  return all(
    shape({
      ...leaf,
      choices: choices(value),
      autocomplete: flag,
      min_value: value,
      max_value: value,
    }),
    notBoth,
  );
}

const leaves: Readonly<Record<number, Check>> = {
  3: all(
    shape({
      ...leaf,
      choices: choices(exactText(1, 100)),
      autocomplete: flag,
      min_length: whole(0, 6_000),
      max_length: whole(1, 6_000),
    }),
    notBoth,
  ),
  4: numeric(whole),
  5: shape(leaf),
  6: shape(leaf),
  7: shape({ ...leaf, channel_types: list(whole(0, 16), 0, 20) }),
  8: shape(leaf),
  9: shape(leaf),
  10: numeric(decimal),
  11: shape(leaf),
};

const ordered: Check = (value, report) => {
  if (!Array.isArray(value)) return;
  const names = new Set<unknown>();
  let sawOptional = false;
  for (const [index, option] of value.filter(isFields).entries()) {
    if (names.has(option.name)) {
      report
        .at(index)
        .at("name")
        .fail(
          "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS",
          "Option name already exists in this options list",
        );
    }
    names.add(option.name);
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
  return all(list(byType(kinds), 0, 25), ordered);
}

const subcommand = shape({ ...described, options: options(leaves), required: flag });
const group = shape({ ...described, options: options({ 1: subcommand }), required: flag });

const unmixed: Check = (value, report) => {
  if (!Array.isArray(value)) return;
  const below = value.filter(
    (option) => isFields(option) && (option.type === 1 || option.type === 2),
  );
  if (below.length > 0 && below.length < value.length) {
    report.fail(
      "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
      "Sub-command and sub-command group option types are mutually exclusive to all other types",
    );
  }
};

const permissions: Check = (value, report) => {
  const shown = typeof value === "number" ? String(value) : value;
  if (typeof shown !== "string" || !/^\d+$/.test(shown)) {
    report.fail("NUMBER_TYPE_COERCE", `Value "${String(value)}" is not int.`);
  }
};

const shared = {
  id: snowflake,
  type: choice([1, 2, 3]),
  default_member_permissions: permissions,
  dm_permission: flag,
  contexts: list(choice([0, 1, 2]), 1, 3),
  integration_types: list(choice([0, 1]), 1, 2),
  nsfw: flag,
};

const slash = shape({
  ...shared,
  name: required(slashName),
  name_localizations: localized(slashName),
  description: required(text(1, 100)),
  description_localizations: localized(text(1, 100)),
  options: all(options({ ...leaves, 1: subcommand, 2: group }), unmixed),
});

const empty: Check = (value, report) => {
  if (value === "") return;
  report.fail(
    "APPLICATION_COMMAND_DESCRIPTION_INVALID",
    "Context menu commands cannot have a description",
  );
};

const menu = shape({
  ...shared,
  name: required(text(1, 32)),
  name_localizations: localized(text(1, 32)),
  description: empty,
  description_localizations: localized(empty),
});

function longest(value: unknown, translations: unknown): number {
  const all = [value, ...(isFields(translations) ? Object.values(translations) : [])];
  return Math.max(...all.map((words) => (typeof words === "string" ? lengthOf(words) : 0)));
}

/** Characters as the limit counts them: of each field only its longest translation. */
export function commandText(value: unknown): number {
  if (!isFields(value)) return 0;
  const below: unknown[] = [value.options, value.choices].flatMap((each) =>
    Array.isArray(each) ? each : [],
  );
  return (
    longest(value.name, value.name_localizations) +
    longest(value.description, value.description_localizations) +
    longest(value.value, undefined) +
    below.reduce<number>((sum, each) => sum + commandText(each), 0)
  );
}

const size: Check = (value, report) => {
  if (commandText(value) > maxCommandText) {
    report.fail(
      "APPLICATION_COMMAND_TOO_LARGE",
      `Command exceeds maximum size (${maxCommandText})`,
    );
  }
};

/** One command as it is created. */
export const command: Check = (value, report) => {
  const type = isFields(value) ? (value.type ?? 1) : 1;
  (type === 2 || type === 3 ? menu : slash)(value, report);
  size(value, report);
};

export function typeOf(value: Fields): number {
  return typeof value.type === "number" ? value.type : 1;
}

/** All commands at once, as a bulk overwrite sends them. */
export const commandList: Check = (value, report) => {
  if (!Array.isArray(value)) {
    return report.fail("LIST_TYPE_CONVERT", "Only iterables may be used in a ListType");
  }
  const seen = new Set<string>();
  const counts = new Map<number, number>();
  for (const [index, each] of value.entries()) {
    command(each, report.at(index));
    if (!isFields(each)) continue;
    const key = `${typeOf(each)} ${String(each.name)}`;
    if (seen.has(key)) {
      report
        .at(index)
        .fail("APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique");
    }
    seen.add(key);
    counts.set(typeOf(each), (counts.get(typeOf(each)) ?? 0) + 1);
  }
  for (const [type, count] of counts) {
    const max = commandLimits[type];
    if (max !== undefined && count > max) {
      report.fail("BASE_TYPE_MAX_LENGTH", `Must be ${max} or fewer in length.`);
    }
  }
};

function suggestions(value: Check): Check {
  return shape({
    choices: required(
      list(
        shape({
          name: required(text(1, 100)),
          name_localizations: localized(text(1, 100)),
          value: required(value),
        }),
        0,
        25,
      ),
    ),
  });
}

/** What a callback of type 8 carries, by the type of the option that was asked for. */
export const suggestionsFor: Readonly<Record<number, Check>> = {
  3: suggestions(exactText(1, 100)),
  4: suggestions(whole(-safeInteger, safeInteger)),
  10: suggestions(decimal(-safeInteger, safeInteger)),
};
