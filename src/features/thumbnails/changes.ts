import { files, form, type Reply, type Words } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import { valueName } from "../cards/index.ts";
import type { Ctx } from "../context/index.ts";
import { colors } from "../cutout/index.ts";
import { action } from "../declarations/index.ts";
import { readEditorCutout, readShownThumbnail, thumbnailFile } from "./carried-cutout.ts";
import {
  findOfferedGround,
  plainTitle,
  readPictureGround,
  readThumbnailGround,
  restyle,
  type ThumbnailDesign,
  thumbnailEdges,
  thumbnailSize,
  thumbnailStyles,
  titleAligns,
} from "./design.ts";
import { type DesignChange, drawThumbnailEditor, editorActionNames } from "./editor.ts";
import { drawStyles, type StyleChoice } from "./styles.ts";
import { changeSubject } from "./subject-place.ts";

const maxTitleChars = 100;
const wants = ["channel"] as const;
/** Choice: the colour of the letters follows the background. */
const automatic = "auto";

const change = action<DesignChange>({
  name: editorActionNames.change,
  wants,
  run: (ctx, { design, part }, { values: [value = ""] }) =>
    redraw(ctx, { ...design, ...changesTo(design, part, value) }),
});

function changesTo(
  design: ThumbnailDesign,
  part: DesignChange["part"],
  value: string,
): Partial<ThumbnailDesign> {
  switch (part) {
    case "backdrop":
      return { backdrop: findOfferedGround(value) ?? design.backdrop };
    case "side":
      return changeSubject(design, value);
    case "edge": {
      const edge = thumbnailEdges.find((known) => known === value);
      return edge === undefined ? {} : { edge, shadow: edge !== "none" };
    }
    // A button that editors had before there was a choice of edges.
    case "shadow":
      return { shadow: !design.shadow };
  }
}

const write = action<ThumbnailDesign>({
  name: "thumbnails.write",
  wants,
  run: (ctx, design, { fields }) => {
    const { title: _, color: __, highlight: ___, ...rest } = design;
    const title = fields.title?.trim() ?? "";
    const { color = automatic, highlight = automatic } = fields;
    const align = titleAligns.find((known) => known === fields.align);
    return redraw(ctx, {
      ...rest,
      ...(title !== "" && { title }),
      ...(color !== automatic && { color }),
      ...(highlight !== automatic && { highlight }),
      ...(align !== undefined && { align }),
    });
  },
});

/** Opens the form for the title on the thumbnail. */
const openTitle = action<ThumbnailDesign>({
  name: editorActionNames.openTitle,
  answer: "form",
  form: ({ words }, design) =>
    form({
      title: words.say("thumbnails.write.form"),
      isReturned: true,
      fields: [
        {
          name: "title",
          label: words.say("thumbnails.write.title"),
          description: words.say("thumbnails.write.title_text"),
          required: false,
          maxLength: maxTitleChars,
          ...(design.title !== undefined && { value: design.title }),
        },
        {
          kind: "select",
          name: "color",
          label: words.say("thumbnails.write.color"),
          options: inks(design.color, words),
        },
        {
          kind: "select",
          name: "highlight",
          label: words.say("thumbnails.write.highlight"),
          description: words.say("thumbnails.write.highlight_text"),
          options: [
            ...inks(design.highlight, words),
            {
              label: words.say("thumbnails.write.no_highlight"),
              value: "none",
              isDefault: design.highlight === "none",
            },
          ],
        },
        {
          kind: "select",
          name: "align",
          label: words.say("thumbnails.write.align"),
          options: titleAligns.map((value) => ({
            label: words.say(`thumbnails.align.${value}`),
            value,
            isDefault: value === (design.align ?? "center"),
          })),
        },
      ],
      submit: write.press(design),
    }),
});

function inks(current: string | undefined, words: Words) {
  return [
    { label: words.say("thumbnails.write.automatic"), value: automatic, color: undefined },
    ...Object.entries(colors).map(([name, color]) => ({
      label: valueName(words, "color", name) ?? name,
      value: color,
      color,
    })),
  ].map(({ label, value, color }) => ({ label, value, isDefault: color === current }));
}

/**
 * @throws InputError `multiple_bg_sources`, `background_unreadable`, `thumbnail_background`, or what is wrong with
 * the picture
 */
const placeBackdrop = action<ThumbnailDesign>({
  name: "thumbnails.place-backdrop",
  wants,
  run: async (ctx, design, { fields, files: attachments }) => {
    const [picture] = attachments.picture ?? [];
    const typed = fields.color?.trim() ?? "";
    if (picture !== undefined) {
      if (typed !== "") throw twoBackdropsError();
      return redraw(ctx, { ...design, backdrop: await readPictureGround(ctx, picture) });
    }
    if (typed === "") return redraw(ctx, design);
    return redraw(ctx, { ...design, backdrop: readThumbnailGround(typed, ctx.words) });
  },
});

/** Opens the form for a background that the select does not offer. */
const openBackdrop = action<ThumbnailDesign>({
  name: editorActionNames.openBackdrop,
  answer: "form",
  form: ({ words }, design) =>
    form({
      title: words.say("thumbnails.backdrop.form"),
      isReturned: true,
      fields: [
        {
          kind: "files",
          name: "picture",
          label: words.say("thumbnails.backdrop.file"),
          description: words.say("thumbnails.backdrop.file_text"),
          required: false,
        },
        {
          name: "color",
          label: words.say("thumbnails.backdrop.color"),
          description: words.say("thumbnails.backdrop.color_text"),
          required: false,
          maxLength: 60,
        },
      ],
      submit: placeBackdrop.press(design),
    }),
});

export function twoBackdropsError(): InputError {
  return new InputError("a picture and a colour behind one subject", {
    code: "multiple_bg_sources",
  });
}

/** The thumbnail as a file, to be used elsewhere. */
const takeFile = action<ThumbnailDesign>({
  name: editorActionNames.takeFile,
  answer: "private",
  run: async (ctx, { name, title }) => {
    const { words } = ctx;
    const data = await readShownThumbnail(ctx);
    const alt = title === undefined ? words.say("thumbnails.alt", { name }) : plainTitle(title);
    return files({
      title: words.say("thumbnails.file.title"),
      files: [{ ...thumbnailFile(data, alt), name: `${name}-thumbnail.jpg` }],
      footer: [
        `${thumbnailSize.width} × ${thumbnailSize.height}`,
        "JPG",
        words.bytes(data.length),
      ].join(" · "),
    });
  },
});

/** Shows the thumbnail in four styles at once. */
const openStyles = action<ThumbnailDesign>({
  name: editorActionNames.openStyles,
  run: async (ctx, design) => drawStyles(ctx, design, await readEditorCutout(ctx)),
});

const chooseStyle = action<StyleChoice>({
  name: editorActionNames.chooseStyle,
  wants,
  run: (ctx, { design, style }) => {
    const chosen = style === undefined ? undefined : thumbnailStyles[style];
    return redraw(ctx, chosen === undefined ? design : restyle(design, chosen));
  },
});

async function redraw(ctx: Ctx, design: ThumbnailDesign): Promise<Reply> {
  return drawThumbnailEditor(ctx, { design, cutout: await readEditorCutout(ctx) });
}

/** Everything that the editor's buttons and selects start. */
export const thumbnailChanges = [
  change,
  openStyles,
  chooseStyle,
  openTitle,
  write,
  openBackdrop,
  placeBackdrop,
  takeFile,
] as const;
