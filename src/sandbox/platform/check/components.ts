import {
  all,
  anything,
  byType,
  type Check,
  choice,
  flag,
  isFields,
  list,
  required,
  shape,
  text,
  whole,
} from "./check.ts";
import { base, button, maxTextDisplays, mediaAddress, selects, textDisplay } from "./parts.ts";
import { distinctIds, walk } from "./walk.ts";

const maxComponents = 40;

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

// What a bot copies from a received message may come back; the platform fills these itself and ignores them here.
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

const media = shape({
  ...copied,
  url: required(mediaAddress),
});

const attachedMedia = shape({
  ...copied,
  url: required((value, report) => {
    if (typeof value === "string" && value.startsWith("attachment://")) return;
    report.fail(
      "UNFURLED_MEDIA_ITEM_ATTACHMENT_REQUIRED",
      "Only the attachment://<filename> form is accepted here.",
    );
  }),
});

const described = { description: text(0, 1_024), spoiler: flag };
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
  13: shape({
    ...base,
    file: required(attachedMedia),
    spoiler: flag,
    name: anything,
    size: anything,
  }),
  14: shape({ ...base, divider: flag, spacing: choice([1, 2]) }),
};

const container = shape({
  ...base,
  components: required(list(byType(inContainer), 1, maxComponents)),
  accent_color: whole(0, 0xff_ff_ff),
  spoiler: flag,
});

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
