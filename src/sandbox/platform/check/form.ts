import {
  allOf,
  array,
  boolean,
  byType,
  type Check,
  exactString,
  integer,
  isObject,
  object,
  oneOfValues,
  required,
  string,
} from "./check.ts";
import {
  base,
  customId,
  distinctOptions,
  orderedBounds,
  selects,
  textDisplay,
} from "./shared-components.ts";
import { distinctIds } from "./walk-components.ts";

const choiceOption = object({
  label: required(string(1, 100)),
  value: required(exactString(1, 100)),
  description: string(0, 100),
  default: boolean,
});

const textInput = {
  ...base,
  custom_id: required(customId),
  style: required(oneOfValues([1, 2])),
  min_length: integer(0, 4_000),
  max_length: integer(1, 4_000),
  required: boolean,
  value: string(0, 4_000),
  placeholder: string(0, 100),
};

const fitsItself: Check = (value, report) => {
  if (!isObject(value)) return;
  const { min_length: min, max_length: max, value: preset } = value;
  if (typeof min === "number" && typeof max === "number" && min > max) {
    report
      .at("min_length")
      .fail("NUMBER_TYPE_MAX", `int value should be less than or equal to ${max}.`);
  }
  if (typeof preset === "string" && typeof max === "number" && [...preset].length > max) {
    report.at("value").fail("BASE_TYPE_MAX_LENGTH", `Must be ${max} or fewer in length.`);
  }
};

const fileTypes = array(string(1, 16, /^(image|video|audio|\.[A-Za-z0-9.]+)$/), 0, 10);

const inLabel: Readonly<Record<number, Check>> = {
  ...selects({ required: boolean }),
  4: allOf(object(textInput), fitsItself),
  19: allOf(
    object({
      ...base,
      custom_id: required(customId),
      min_values: integer(0, 10),
      max_values: integer(1, 10),
      required: boolean,
      file_types: fileTypes,
    }),
    orderedBounds,
  ),
  21: allOf(
    object({
      ...base,
      custom_id: required(customId),
      options: required(array(choiceOption, 2, 10)),
      required: boolean,
    }),
    distinctOptions,
  ),
  22: allOf(
    object({
      ...base,
      custom_id: required(customId),
      options: required(array(choiceOption, 1, 10)),
      min_values: integer(0, 10),
      max_values: integer(1, 10),
      required: boolean,
    }),
    (value, report) => {
      if (!isObject(value) || !Array.isArray(value.options)) return;
      // In a group of checkboxes all may be chosen unless it says otherwise.
      distinctOptions({ ...value, max_values: value.max_values ?? value.options.length }, report);
      if (value.min_values !== 0 || value.required === false) return;
      const message = "int value should be greater than or equal to 1.";
      report.at("min_values").fail("NUMBER_TYPE_MIN", message);
    },
  ),
  23: object({ ...base, custom_id: required(customId), default: boolean }),
};

const label = object({
  ...base,
  label: required(string(1, 45)),
  description: string(0, 100),
  component: required(byType(inLabel)),
});

const inputRow = object({
  ...base,
  components: required(
    array(
      byType({
        4: allOf(object({ ...textInput, label: required(string(1, 45)) }), fitsItself),
      }),
      1,
      1,
    ),
  ),
});

/** What a callback of type 9 carries. */
export const formCheck: Check = object({
  custom_id: required(customId),
  title: required(string(1, 45)),
  components: required(
    allOf(array(byType({ 1: inputRow, 10: textDisplay, 18: label }), 1, 5), distinctIds),
  ),
});
