import {
  type Button,
  card,
  join,
  type Press,
  type Reply,
  type ReplyFile,
  reaches,
  type Select,
  type Text,
  type Words,
} from "../../discord/index.ts";
import type { Ctx } from "../context/index.ts";
import { thumbnailFile } from "./carried-cutout.ts";
import {
  drawThumbnailDesign,
  offeredGroundName,
  offeredGrounds,
  plainTitle,
  type ThumbnailDesign,
  thumbnailEdges,
  thumbnailSize,
} from "./design.ts";
import { thumbnailSetter } from "./set-thumbnail.ts";
import { subjectPlaces } from "./subject-place.ts";

/** What a select or a switch changes. */
export interface DesignChange {
  readonly design: ThumbnailDesign;
  readonly part: "backdrop" | "side" | "edge" | "shadow";
}

/** Actions draw these buttons, so the buttons refer to actions by name: imports must not form a circle. */
export const editorActionNames = {
  change: "thumbnails.change",
  openStyles: "thumbnails.open-styles",
  chooseStyle: "thumbnails.choose-style",
  openTitle: "thumbnails.open-title",
  openBackdrop: "thumbnails.open-backdrop",
  takeFile: "thumbnails.take-file",
} as const;

function press<N extends keyof typeof editorActionNames>(
  name: N,
  state: N extends "change" ? DesignChange : ThumbnailDesign,
): Press {
  return { action: editorActionNames[name], state };
}

function selectsFor(design: ThumbnailDesign, words: Words): readonly Select[] {
  const current = offeredGroundName(design.backdrop);
  const own = words.say(
    design.backdrop.kind === "picture" ? "thumbnails.backdrop.picture" : "thumbnails.backdrop.own",
  );
  const grounds = offeredGrounds(words).map(({ name, label }) => ({
    label,
    value: name,
    isDefault: name === current,
  }));
  return [
    {
      placeholder: words.say("thumbnails.backdrop.placeholder"),
      options: [
        ...(current === undefined ? [{ label: own, value: "own", isDefault: true }] : []),
        ...grounds,
      ],
      press: press("change", { design, part: "backdrop" }),
    },
    {
      placeholder: words.say("thumbnails.side.placeholder"),
      options: subjectPlaces(design, words),
      press: press("change", { design, part: "side" }),
    },
    {
      placeholder: words.say("thumbnails.edge.placeholder"),
      options: thumbnailEdges.map((edge) => ({
        label: words.say(`thumbnails.edge.${edge}`),
        value: edge,
        isDefault: edge === (design.edge ?? (design.shadow ? "shadow" : "none")),
      })),
      press: press("change", { design, part: "edge" }),
    },
  ];
}

function buttonsFor(design: ThumbnailDesign, words: Words): readonly Button[] {
  return [
    { label: words.say("thumbnails.styles.button"), press: press("openStyles", design) },
    {
      label: words.say(
        design.title === undefined ? "thumbnails.write.add" : "thumbnails.write.edit",
      ),
      style: "primary",
      press: press("openTitle", design),
    },
    { label: words.say("thumbnails.backdrop.button"), press: press("openBackdrop", design) },
    { label: words.say("thumbnails.file.button"), press: press("takeFile", design) },
  ];
}

/** What the editor says once, when it opens. */
export interface EditorNote {
  readonly lines?: readonly Text[];
  /** What the cut-out cost. */
  readonly cost?: string | undefined;
  readonly buttons?: readonly Button[];
}

const maxMissingCharacters = 20;

/** The thumbnail as it looks now, with everything that can be changed. The cut-out is a file of the same message. */
export async function drawThumbnailEditor(
  ctx: Ctx,
  {
    design,
    cutout,
    note = {},
  }: { readonly design: ThumbnailDesign; readonly cutout: ReplyFile; readonly note?: EditorNote },
): Promise<Reply> {
  const { words } = ctx;
  // Everybody may make a thumbnail, but not set it.
  const maySet = reaches(ctx.rank, "manager") && ctx.has("channel");
  const [drawn, video] = await Promise.all([
    drawThumbnailDesign(ctx, cutout.data, design),
    maySet ? thumbnailSetter.select(ctx) : undefined,
  ]);
  const { length: count } = drawn.missing;
  const characters = drawn.missing.slice(0, maxMissingCharacters).join(" ");
  const lines = [
    ...(note.lines ?? []),
    ...(count > 0 ? [words.md("thumbnails.missing", { count, characters })] : []),
  ];
  const { name, title } = design;
  const alt =
    title === undefined
      ? words.say("thumbnails.alt", { name })
      : words.say("thumbnails.alt_title", { name, title: plainTitle(title) });
  const facts = [
    `${thumbnailSize.width} × ${thumbnailSize.height}`,
    "JPG",
    words.bytes(drawn.bytes.length),
  ];
  return card({
    title: words.say("thumbnails.title"),
    ...(lines.length > 0 && { text: join(lines) }),
    preview: thumbnailFile(drawn.bytes, alt),
    carried: { ...cutout, alt: words.say("background.alt", { name: design.name }) },
    footer: [...(note.cost === undefined ? [] : [note.cost]), ...facts].join(" · "),
    selects: [...selectsFor(design, words), ...(video === undefined ? [] : [video])],
    buttons: [
      ...buttonsFor(design, words),
      ...(maySet ? [thumbnailSetter.button(ctx)] : []),
      ...(note.buttons ?? []),
    ],
    isPrivate: true,
  });
}
