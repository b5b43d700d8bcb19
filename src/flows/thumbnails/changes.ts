import {
  action,
  type Ctx,
  colors,
  files,
  form,
  type Input,
  named,
  type Reply,
  type Words,
} from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import {
  groundNamed,
  pictureGround,
  readBackdrop,
  sides,
  size,
  type ThumbnailDesign,
} from "./design.ts";
import { type DesignChange, editor, names } from "./editor.ts";
import { carriedCutout, shownThumbnail, thumbnailFile } from "./subject.ts";

const longestTitle = 100;
const wants = ["channel"] as const;
/** The colour of the letters follows what is behind them. */
const automatic = "auto";

const change = action<DesignChange>({
  name: names.change,
  answer: "update",
  by: "requester",
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
      return { backdrop: groundNamed(value) ?? design.backdrop };
    case "side":
      return { side: sides.find((side) => side === value) ?? design.side };
    case "shadow":
      return { shadow: !design.shadow };
  }
}

const write = action<ThumbnailDesign>({
  name: "thumbnails.write",
  answer: "update",
  by: "requester",
  wants,
  run: (ctx, design, { fields }) => {
    const { title: _, color: __, ...rest } = design;
    const title = fields.title?.trim() ?? "";
    const { color = automatic } = fields;
    return redraw(ctx, {
      ...rest,
      ...(title !== "" && { title }),
      ...(color !== automatic && { color }),
    });
  },
});

/** Opens the form for the title on the thumbnail. */
const openTitle = action<ThumbnailDesign>({
  name: names.openTitle,
  answer: "form",
  by: "requester",
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
          maxLength: longestTitle,
          ...(design.title !== undefined && { value: design.title }),
        },
        {
          kind: "select",
          name: "color",
          label: words.say("thumbnails.write.color"),
          options: inks(design.color, words),
        },
      ],
      submit: write.press(design),
    }),
});

function inks(current: string | undefined, words: Words) {
  return [
    { label: words.say("thumbnails.write.automatic"), value: automatic, color: undefined },
    ...Object.entries(colors).map(([name, color]) => ({
      label: named(words, "color", name) ?? name,
      value: color,
      color,
    })),
  ].map(({ label, value, color }) => ({ label, value, isDefault: color === current }));
}

const placeBackdrop = action<ThumbnailDesign>({
  name: "thumbnails.place-backdrop",
  answer: "update",
  by: "requester",
  wants,
  run: async (ctx, design, input) => {
    const backdrop = await backdropIn(ctx, input);
    return redraw(ctx, backdrop === undefined ? design : { ...design, backdrop });
  },
});

/** Opens the form for another background than those offered. */
const openBackdrop = action<ThumbnailDesign>({
  name: names.openBackdrop,
  answer: "form",
  by: "requester",
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

/**
 * @throws InputError `multiple_bg_sources`, `background_unreadable`, `thumbnail_background`, or what is wrong with
 * the picture
 */
async function backdropIn(ctx: Ctx, { fields, files: given }: Input) {
  const [picture] = given.picture ?? [];
  const typed = fields.color?.trim() ?? "";
  if (picture === undefined) return typed === "" ? undefined : readBackdrop(typed, ctx.words);
  if (typed === "") return pictureGround(ctx, picture);
  throw twoBackdrops();
}

export function twoBackdrops(): InputError {
  return new InputError("a picture and a colour behind one subject", {
    code: "multiple_bg_sources",
  });
}

/** The thumbnail as a file, for whoever sets it elsewhere. */
const takeFile = action<ThumbnailDesign>({
  name: names.takeFile,
  answer: "private",
  by: "requester",
  run: async (ctx, { name, title }) => {
    const { words } = ctx;
    const data = await shownThumbnail(ctx);
    const alt = title ?? words.say("thumbnails.alt", { name });
    return files({
      title: words.say("thumbnails.file.title"),
      files: [{ ...thumbnailFile(data, alt), name: `${name}-thumbnail.jpg` }],
      footer: [`${size.width} × ${size.height}`, "JPG", words.bytes(data.length)].join(" · "),
    });
  },
});

async function redraw(ctx: Ctx, design: ThumbnailDesign): Promise<Reply> {
  return editor(ctx, { design, cutout: await carriedCutout(ctx) });
}

/** All that the editor's buttons and selects start. */
export const changes = {
  actions: [change, openTitle, write, openBackdrop, placeBackdrop, takeFile],
} as const;
