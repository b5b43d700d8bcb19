import {
  allOf,
  anything,
  array,
  boolean,
  byType,
  type Check,
  integer,
  isObject,
  object,
  oneOfValues,
  required,
  string,
} from "./check.ts";
import {
  base,
  button,
  maxTextDisplays,
  mediaUrl,
  selects,
  textDisplay,
} from "./shared-components.ts";
import { distinctIds, walkComponents } from "./walk-components.ts";

const maxComponents = 40;

const row: Check = allOf(
  object({
    ...base,
    // `required` belongs to forms; in a message it is accepted and means nothing.
    components: required(array(byType({ 2: button, ...selects({ disabled: boolean }) }), 1, 5)),
  }),
  (value, report) => {
    if (!isObject(value) || !Array.isArray(value.components)) return;
    const kinds = value.components.map((child) => (isObject(child) ? child.type : undefined));
    if (kinds.length < 2 || kinds.every((kind) => kind === 2)) return;
    const message = "The specified component exceeds the maximum width";
    report.at("components").fail("COMPONENT_LAYOUT_WIDTH_EXCEEDED", message);
  },
);

// What a bot copies from a received message may come back; Discord fills these itself and ignores them here.
const copied = {
  id: anything,
  proxy_url: anything,
  width: anything,
  height: anything,
  content_type: anything,
  attachment_id: anything,
  loading_state: anything,
  flags: anything,
  placeholder: anything,
  placeholder_version: anything,
};

const media = object({
  ...copied,
  url: required(mediaUrl),
});

const attachedMedia = object({
  ...copied,
  url: required((value, report) => {
    if (typeof value === "string" && value.startsWith("attachment://")) return;
    report.fail(
      "UNFURLED_MEDIA_ITEM_ATTACHMENT_REQUIRED",
      "Only the attachment://<filename> form is accepted here.",
    );
  }),
});

const described = { description: string(0, 1_024), spoiler: boolean };
const thumbnail = object({ ...base, ...described, media: required(media) });

const section = object({
  ...base,
  components: required(array(byType({ 10: textDisplay }), 1, 3)),
  accessory: required(byType({ 2: button, 11: thumbnail })),
});

const gallery = object({
  ...base,
  items: required(array(object({ ...described, media: required(media) }), 1, 10)),
});

const inContainer: Readonly<Record<number, Check>> = {
  1: row,
  9: section,
  10: textDisplay,
  12: gallery,
  13: object({
    ...base,
    file: required(attachedMedia),
    spoiler: boolean,
    name: anything,
    size: anything,
  }),
  14: object({ ...base, divider: boolean, spacing: oneOfValues([1, 2]) }),
};

const container = object({
  ...base,
  components: required(array(byType(inContainer), 1, maxComponents)),
  accent_color: integer(0, 0xff_ff_ff),
  spoiler: boolean,
});

/** Components of a message without the flag: up to five rows. */
export const legacyComponents: Check = allOf(array(byType({ 1: row }), 0, 5), distinctIds);

/** Components of a message with `IS_COMPONENTS_V2`. */
export const layoutComponents: Check = allOf(
  array(byType({ ...inContainer, 17: container }), 0, maxComponents),
  distinctIds,
  (value, report) => {
    const found = [...walkComponents(value)];
    if (found.length > maxComponents) {
      const message = `The message exceeds ${maxComponents} components.`;
      report.fail("COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", message);
    }
    const shown = found
      .filter(({ component }) => component.type === 10)
      .reduce((sum, { component }) => sum + [...String(component.content).trim()].length, 0);
    if (shown > maxTextDisplays) {
      const message = `The total displayable text size exceeds the maximum size of ${maxTextDisplays}`;
      report.fail("COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", message);
    }
  },
);
