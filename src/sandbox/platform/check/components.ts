import {
  all,
  byType,
  type Check,
  choice,
  exactText,
  type Fields,
  flag,
  isFields,
  list,
  required,
  shape,
  snowflake,
  text,
  webAddress,
  whole,
} from "./check.ts";

// https://docs.discord.com/developers/components/reference
const maxTextDisplays = 4_000;
const maxComponents = 40;

const base = { type: required(whole(1, 99)), id: whole(0, 2 ** 31 - 1) };
const customId = exactText(1, 100);

const emoji: Check = all(
  shape({ id: snowflake, name: text(0, 100), animated: flag }),
  (value, report) => {
    if (!isFields(value)) return;
    const known = value.id != null || /^\p{RGI_Emoji}$/v.test(String(value.name));
    if (!known) report.at("name").fail("COMPONENT_INVALID_EMOJI", "Invalid emoji");
  },
);

const linkStyle = 5;
const premiumStyle = 6;

const button: Check = all(
  shape({
    ...base,
    style: required(choice([1, 2, 3, 4, 5, 6])),
    custom_id: customId,
    label: text(0, 80),
    emoji,
    url: all(text(0, 512), (value, report) => {
      // Links of a button may also open the client itself.
      if (!String(value).startsWith("discord://")) webAddress(value, report);
    }),
    sku_id: snowflake,
    disabled: flag,
  }),
  (value, report) => {
    if (!isFields(value) || value.style === premiumStyle) return;
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

const selectOption = shape({
  label: required(text(1, 100)),
  value: required(exactText(1, 100)),
  description: text(0, 100),
  emoji,
  default: flag,
});

const selectCommon = {
  ...base,
  custom_id: required(customId),
  placeholder: text(0, 150),
  min_values: whole(0, 25),
  max_values: whole(1, 25),
};

const distinctOptions: Check = (value, report) => {
  if (!isFields(value) || !Array.isArray(value.options)) return;
  const seen = new Set<unknown>();
  for (const [index, option] of value.options.entries()) {
    if (!isFields(option)) continue;
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
  const max = typeof value.max_values === "number" ? value.max_values : 1;
  const min = typeof value.min_values === "number" ? value.min_values : 1;
  if (max > value.options.length) {
    report.at("options").fail("BASE_TYPE_MIN_LENGTH", `Must be ${max} or more in length.`);
  }
  if (min > max) {
    report
      .at("min_values")
      .fail("NUMBER_TYPE_MAX", `int value should be less than or equal to ${max}.`);
  }
  if (value.options.filter((option) => isFields(option) && option.default === true).length > max) {
    report.at("options").fail("SELECT_COMPONENT_TOO_MANY_DEFAULTS", "Too many default values");
  }
};

function stringSelect(extra: Readonly<Record<string, Check>>): Check {
  return all(
    shape({ ...selectCommon, options: required(list(selectOption, 1, 25)), ...extra }),
    distinctOptions,
  );
}

function entitySelect(extra: Readonly<Record<string, Check>>): Check {
  const defaultValue = shape({
    id: required(snowflake),
    type: required(choice(["user", "role", "channel"])),
  });
  return shape({ ...selectCommon, default_values: list(defaultValue, 0, 25), ...extra });
}

const channelTypes = list(whole(0, 16), 0, 20);

function selects(extra: Readonly<Record<string, Check>>): Readonly<Record<number, Check>> {
  return {
    3: stringSelect(extra),
    5: entitySelect(extra),
    6: entitySelect(extra),
    7: entitySelect(extra),
    8: entitySelect({ ...extra, channel_types: channelTypes }),
  };
}

const rowChildren: Check = (value, report) => {
  if (!isFields(value) || !Array.isArray(value.components)) return;
  const kinds = value.components.map((child) => (isFields(child) ? child.type : undefined));
  if (kinds.length > 1 && kinds.some((kind) => kind !== 2)) {
    report
      .at("components")
      .fail("COMPONENT_LAYOUT_WIDTH_EXCEEDED", "The specified component exceeds the maximum width");
  }
};

const row: Check = all(
  shape({
    ...base,
    // `required` belongs to forms; in a message it is accepted and means nothing.
    components: required(list(byType({ 2: button, ...selects({ disabled: flag }) }), 1, 5)),
  }),
  rowChildren,
);

const media = shape({
  url: required((value, report) => {
    if (typeof value === "string" && value.startsWith("attachment://")) return;
    webAddress(value, report);
  }),
});

const attachedMedia = shape({
  url: required((value, report) => {
    if (typeof value === "string" && value.startsWith("attachment://")) return;
    report.fail(
      "UNFURLED_MEDIA_ITEM_ATTACHMENT_REQUIRED",
      "Only the attachment://<filename> form is accepted here.",
    );
  }),
});

const described = { description: text(0, 1_024), spoiler: flag };
const textDisplay = shape({ ...base, content: required(text(1, maxTextDisplays)) });
const thumbnail = shape({ ...base, ...described, media: required(media) });

const section = shape({
  ...base,
  components: required(list(byType({ 10: textDisplay }), 1, 3)),
  accessory: required(byType({ 2: button, 11: thumbnail })),
});

const gallery = shape({
  ...base,
  items: required(list(shape({ ...described, media: required(media) }), 1, 10)),
});

const inContainer: Readonly<Record<number, Check>> = {
  1: row,
  9: section,
  10: textDisplay,
  12: gallery,
  13: shape({ ...base, file: required(attachedMedia), spoiler: flag }),
  14: shape({ ...base, divider: flag, spacing: choice([1, 2]) }),
};

const container = shape({
  ...base,
  components: required(list(byType(inContainer), 1, maxComponents)),
  accent_color: whole(0, 0xff_ff_ff),
  spoiler: flag,
});

/** Every component of a tree, with the path that leads to it. */
export function* walk(
  components: unknown,
  path: readonly (string | number)[] = [],
): Generator<{ readonly component: Fields; readonly path: readonly (string | number)[] }> {
  if (!Array.isArray(components)) return;
  for (const [index, component] of components.entries()) {
    if (!isFields(component)) continue;
    const here = [...path, index];
    yield { component, path: here };
    yield* walk(component.components, [...here, "components"]);
    for (const field of ["accessory", "component"]) {
      const inner = component[field];
      if (!isFields(inner)) continue;
      yield { component: inner, path: [...here, field] };
      yield* walk(inner.components, [...here, field, "components"]);
    }
  }
}

/** Custom ids and numeric ids occur once in a message or form. */
export const distinctIds: Check = (value, report) => {
  for (const key of ["custom_id", "id"] as const) {
    const seen = new Set<unknown>();
    for (const { component, path } of walk(value)) {
      const given = component[key];
      // 0 asks for a generated id.
      if (given === undefined || given === null || given === 0) continue;
      if (seen.has(given)) {
        const name = key === "id" ? "COMPONENT_ID_DUPLICATED" : "COMPONENT_CUSTOM_ID_DUPLICATED";
        const words = key === "id" ? "Component id" : "Component custom id";
        path
          .reduce((at, field) => at.at(field), report)
          .at(key)
          .fail(name, `${words} cannot be duplicated`);
      }
      seen.add(given);
    }
  }
};

const totals: Check = (value, report) => {
  const found = [...walk(value)];
  if (found.length > maxComponents) {
    report.fail(
      "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
      `The message exceeds ${maxComponents} components.`,
    );
  }
  const shown = found
    .filter(({ component }) => component.type === 10)
    .reduce((sum, { component }) => sum + [...String(component.content).trim()].length, 0);
  if (shown > maxTextDisplays) {
    report.fail(
      "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
      `The total displayable text size exceeds the maximum size of ${maxTextDisplays}`,
    );
  }
};

/** Components of a message without the flag: up to five rows. */
export const legacyComponents: Check = all(list(byType({ 1: row }), 0, 5), distinctIds);

/** Components of a message with `IS_COMPONENTS_V2`. */
export const layoutComponents: Check = all(
  list(byType({ ...inContainer, 17: container }), 0, maxComponents),
  distinctIds,
  totals,
);

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

const fileTypes = list(text(1, 16, /^(image|video|audio|\.[A-Za-z0-9.]+)$/), 0, 10);

const inLabel: Readonly<Record<number, Check>> = {
  ...selects({ required: flag }),
  4: all(shape(textInput), fitsItself),
  19: shape({
    ...base,
    custom_id: required(customId),
    min_values: whole(0, 10),
    max_values: whole(1, 10),
    required: flag,
    file_types: fileTypes,
  }),
  21: all(
    shape({
      ...base,
      custom_id: required(customId),
      options: required(list(choiceOption, 2, 10)),
      required: flag,
    }),
    distinctOptions,
  ),
  22: shape({
    ...base,
    custom_id: required(customId),
    options: required(list(choiceOption, 1, 10)),
    min_values: whole(0, 10),
    max_values: whole(1, 10),
    required: flag,
  }),
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
