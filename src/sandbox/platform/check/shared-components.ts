import {
  allOf,
  array,
  boolean,
  type Check,
  type CheckedFields,
  exactString,
  httpUrl,
  integer,
  isObject,
  object,
  oneOfValues,
  required,
  snowflakeId,
  string,
} from "./check.ts";

// https://docs.discord.com/developers/components/reference
export const maxTextDisplays = 4_000;

export const base = { type: required(integer(1, 99)), id: integer(0, 2 ** 31 - 1) };
/** A picture's address: that of an attached file, or one on the web. */
export const mediaUrl: Check = (value, report) => {
  if (typeof value === "string" && value.startsWith("attachment://")) return;
  httpUrl(value, report);
};

export const customId = exactString(1, 100);

const emoji: Check = allOf(
  object({ id: snowflakeId, name: string(0, 100), animated: boolean }),
  (value, report) => {
    if (!isObject(value)) return;
    const known = value.id != null || /^\p{RGI_Emoji}$/v.test(String(value.name));
    if (!known) report.at("name").fail("COMPONENT_INVALID_EMOJI", "Invalid emoji");
  },
);

const linkStyle = 5;
const premiumStyle = 6;

export const button: Check = allOf(
  object({
    ...base,
    style: required(oneOfValues([1, 2, 3, 4, 5, 6])),
    custom_id: customId,
    label: string(0, 80),
    emoji,
    url: allOf(string(0, 512), (value, report) => {
      // Links of a button may also open the client itself.
      if (!String(value).startsWith("discord://")) httpUrl(value, report);
    }),
    sku_id: snowflakeId,
    disabled: boolean,
  }),
  (value, report) => {
    if (!isObject(value) || value.style === premiumStyle) return;
    if (value.style === linkStyle) {
      if (!value.url) report.at("url").fail("BASE_TYPE_REQUIRED", "This field is required");
      if (value.custom_id != null) {
        report
          .at("custom_id")
          .fail("BUTTON_COMPONENT_CUSTOM_ID_URL", "A custom id and url cannot both be specified");
      }
    } else {
      if (value.custom_id == null) {
        report
          .at("custom_id")
          .fail("BUTTON_COMPONENT_CUSTOM_ID_REQUIRED", "A custom id is required");
      }
      if (value.url != null) {
        report.at("url").fail("BUTTON_COMPONENT_URL", "A url can only be used with link buttons");
      }
    }
    if (!value.label && value.emoji == null) {
      report.at("label").fail("BUTTON_COMPONENT_LABEL_REQUIRED", "A label or an emoji is required");
    }
  },
);

const selectOption = object({
  label: required(string(1, 100)),
  value: required(exactString(1, 100)),
  description: string(0, 100),
  emoji,
  default: boolean,
});

const selectCommon = {
  ...base,
  custom_id: required(customId),
  placeholder: string(0, 150),
  min_values: integer(0, 25),
  max_values: integer(1, 25),
};

function maxValues({ max_values: max }: CheckedFields): number {
  return typeof max === "number" ? max : 1;
}

/** The minimum may not be greater than the maximum. */
export const orderedBounds: Check = (value, report) => {
  if (!isObject(value)) return;
  const min = typeof value.min_values === "number" ? value.min_values : 1;
  const max = maxValues(value);
  if (min > max) {
    report
      .at("min_values")
      .fail("NUMBER_TYPE_MAX", `int value should be less than or equal to ${max}.`);
  }
};

export const distinctOptions: Check = (value, report) => {
  if (!isObject(value) || !Array.isArray(value.options)) return;
  const seen = new Set<unknown>();
  for (const [index, option] of value.options.entries()) {
    if (!isObject(option)) continue;
    if (seen.has(option.value)) {
      report
        .at("options")
        .at(index)
        .at("value")
        .fail(
          "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
          "The specified option value is already used",
        );
    }
    seen.add(option.value);
  }
  const max = maxValues(value);
  if (max > value.options.length) {
    report.at("options").fail("BASE_TYPE_MIN_LENGTH", `Must be ${max} or more in length.`);
  }
  orderedBounds(value, report);
  if (value.options.filter((option) => isObject(option) && option.default === true).length > max) {
    report.at("options").fail("SELECT_COMPONENT_TOO_MANY_DEFAULTS", "Too many default values");
  }
};

function entitySelect(extra: Readonly<Record<string, Check>>, kinds: readonly string[]): Check {
  const defaultValue = object({
    id: required(snowflakeId),
    type: required(oneOfValues(kinds)),
  });
  return allOf(
    object({ ...selectCommon, default_values: array(defaultValue, 0, 25), ...extra }),
    orderedBounds,
    (value, report) => {
      if (!isObject(value) || !Array.isArray(value.default_values)) return;
      if (value.default_values.length > maxValues(value)) {
        report
          .at("default_values")
          .fail("SELECT_COMPONENT_TOO_MANY_DEFAULTS", "Too many default values");
      }
    },
  );
}

const channelTypes = array(integer(0, 16), 0, 20);

export function selects(extra: Readonly<Record<string, Check>>): Readonly<Record<number, Check>> {
  const options = required(array(selectOption, 1, 25));
  return {
    3: allOf(object({ ...selectCommon, options, ...extra }), distinctOptions),
    5: entitySelect(extra, ["user"]),
    6: entitySelect(extra, ["role"]),
    7: entitySelect(extra, ["user", "role"]),
    8: entitySelect({ ...extra, channel_types: channelTypes }, ["channel"]),
  };
}

export const textDisplay = object({
  ...base,
  content: required(string(1, maxTextDisplays)),
});
