import {
  array,
  boolean,
  type Check,
  type CheckedFields,
  countTextCharacters,
  isObject,
  object,
  oneOfValues,
  required,
  snowflakeId,
  string,
} from "./check.ts";
import { distinctNames, localizedField, slashName } from "./names.ts";
import { commandOptions } from "./options.ts";

// https://docs.discord.com/developers/interactions/application-commands
const maxCommandText = 8_000;
export const commandLimits: Readonly<Record<number, number>> = { 1: 100, 2: 15, 3: 15 };

const permissions: Check = (value, report) => {
  const shown = typeof value === "number" ? String(value) : value;
  if (typeof shown !== "string" || !/^\d+$/.test(shown)) {
    report.fail("NUMBER_TYPE_COERCE", `Value "${String(value)}" is not int.`);
  }
};

const shared = {
  id: snowflakeId,
  type: oneOfValues([1, 2, 3]),
  default_member_permissions: permissions,
  dm_permission: boolean,
  contexts: array(oneOfValues([0, 1, 2]), 1, 3),
  integration_types: array(oneOfValues([0, 1]), 1, 2),
  nsfw: boolean,
};

const slash = object({
  ...shared,
  name: required(slashName),
  name_localizations: localizedField(slashName),
  description: required(string(1, 100)),
  description_localizations: localizedField(string(1, 100)),
  options: commandOptions,
});

const empty: Check = (value, report) => {
  if (value === "") return;
  report.fail(
    "APPLICATION_COMMAND_DESCRIPTION_INVALID",
    "Context menu commands cannot have a description",
  );
};

const menu = object({
  ...shared,
  name: required(string(1, 32)),
  name_localizations: localizedField(string(1, 32)),
  description: empty,
  description_localizations: localizedField(empty),
});

function longest(value: unknown, translations: unknown): number {
  const all = [value, ...(isObject(translations) ? Object.values(translations) : [])];
  return Math.max(
    ...all.map((words) => (typeof words === "string" ? countTextCharacters(words) : 0)),
  );
}

/** Characters as the limit counts them: of each field only its longest translation. */
function commandText(value: unknown): number {
  if (!isObject(value)) return 0;
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

export const commandCheck: Check = (value, report) => {
  const type = isObject(value) ? (value.type ?? 1) : 1;
  (type === 2 || type === 3 ? menu : slash)(value, report);
  if (commandText(value) > maxCommandText) {
    const message = `Command exceeds maximum size (${maxCommandText})`;
    report.fail("APPLICATION_COMMAND_TOO_LARGE", message);
  }
};

export function readCommandType(value: CheckedFields): number {
  return typeof value.type === "number" ? value.type : 1;
}

const sameName = distinctNames(
  "APPLICATION_COMMANDS_DUPLICATE_NAME",
  "Application command names must be unique",
);

/** All commands at once, as a bulk overwrite sends them. */
export const commandListCheck: Check = (value, report) => {
  if (!Array.isArray(value)) {
    return report.fail("LIST_TYPE_CONVERT", "Only iterables may be used in a ListType");
  }
  const counts = new Map<number, number>();
  for (const [index, each] of value.entries()) {
    commandCheck(each, report.at(index));
    if (isObject(each))
      counts.set(readCommandType(each), (counts.get(readCommandType(each)) ?? 0) + 1);
  }
  for (const type of counts.keys()) {
    // Commands of another kind leave holes, so that each keeps its place in the list.
    sameName(
      value.map((each) => (isObject(each) && readCommandType(each) === type ? each : undefined)),
      report,
    );
  }
  for (const [type, count] of counts) {
    const max = commandLimits[type];
    if (max !== undefined && count > max) {
      report.fail("BASE_TYPE_MAX_LENGTH", `Must be ${max} or fewer in length.`);
    }
  }
};
