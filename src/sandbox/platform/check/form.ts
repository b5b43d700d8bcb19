import {
  all,
  byType,
  type Check,
  choice,
  exactText,
  flag,
  isFields,
  list,
  required,
  shape,
  text,
  whole,
} from "./check.ts";
import { base, customId, distinctOptions, orderedBounds, selects, textDisplay } from "./parts.ts";
import { distinctIds } from "./walk.ts";

const choiceOption = shape({
  label: required(text(1, 100)),
  value: required(exactText(1, 100)),
  description: text(0, 100),
  default: flag,
});

const textInput = {
  ...base,
  custom_id: required(customId),
  style: required(choice([1, 2])),
  min_length: whole(0, 4_000),
  max_length: whole(1, 4_000),
  required: flag,
  value: text(0, 4_000),
  placeholder: text(0, 100),
};

const fitsItself: Check = (value, report) => {
  if (!isFields(value)) return;
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

/** In a group of checkboxes all may be chosen unless it says otherwise. */
const fitsGroup: Check = (value, report) => {
  if (!isFields(value) || !Array.isArray(value.options)) return;
  distinctOptions({ ...value, max_values: value.max_values ?? value.options.length }, report);
  if (value.min_values === 0 && value.required !== false) {
    report
      .at("min_values")
      .fail("NUMBER_TYPE_MIN", "int value should be greater than or equal to 1.");
  }
};

const fileTypes = list(text(1, 16, /^(image|video|audio|\.[A-Za-z0-9.]+)$/), 0, 10);

const inLabel: Readonly<Record<number, Check>> = {
  ...selects({ required: flag }),
  4: all(shape(textInput), fitsItself),
  19: all(
    shape({
      ...base,
      custom_id: required(customId),
      min_values: whole(0, 10),
      max_values: whole(1, 10),
      required: flag,
      file_types: fileTypes,
    }),
    orderedBounds,
  ),
  21: all(
    shape({
      ...base,
      custom_id: required(customId),
      options: required(list(choiceOption, 2, 10)),
      required: flag,
    }),
    distinctOptions,
  ),
  22: all(
    shape({
      ...base,
      custom_id: required(customId),
      options: required(list(choiceOption, 1, 10)),
      min_values: whole(0, 10),
      max_values: whole(1, 10),
      required: flag,
    }),
    fitsGroup,
  ),
  23: shape({ ...base, custom_id: required(customId), default: flag }),
};

const label = shape({
  ...base,
  label: required(text(1, 45)),
  description: text(0, 100),
  component: required(byType(inLabel)),
});

const inputRow = shape({
  ...base,
  components: required(
    list(
      byType({ 4: all(shape({ ...textInput, label: required(text(1, 45)) }), fitsItself) }),
      1,
      1,
    ),
  ),
});

/** What a callback of type 9 carries. */
export const form: Check = shape({
  custom_id: required(customId),
  title: required(text(1, 45)),
  components: required(
    all(list(byType({ 1: inputRow, 10: textDisplay, 18: label }), 1, 5), distinctIds),
  ),
});
