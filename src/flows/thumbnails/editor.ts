import {
  type Ctx,
  card,
  join,
  type Reply,
  type ReplyFile,
  type Text,
  type Words,
} from "../../discord/index.ts";
import { buttonsFor, maySet, selectsFor } from "./controls.ts";
import type { Design } from "./design.ts";
import { drawDesign, size } from "./picture.ts";
import { settings } from "./set.ts";
import { thumbnailFile } from "./subject.ts";

/** What is told once, above the editor. */
export interface Telling {
  readonly lines?: readonly Text[];
  /** What it cost. */
  readonly cost?: string;
}

const mostMissing = 20;

/** The thumbnail as it looks now, with everything that can be changed. It carries the cut-out itself. */
export async function editor(
  ctx: Ctx<unknown>,
  { design, cutout, telling = {} }: EditorOf,
): Promise<Reply> {
  const { words } = ctx;
  const [drawn, video] = await Promise.all([
    drawDesign(ctx, cutout.data, design),
    maySet(ctx) ? settings.select(ctx) : undefined,
  ]);
  const lines = [...(telling.lines ?? []), ...missingLine(drawn.missing, words)];
  const facts = [`${size.width} × ${size.height}`, "JPG", words.bytes(drawn.bytes.length)];
  return card({
    title: words.say("thumbnails.title"),
    ...(lines.length > 0 && { text: join(lines, "\n") }),
    preview: thumbnailFile(drawn.bytes, altOf(design, words)),
    carried: { ...cutout, alt: words.say("background.alt", { name: design.name }) },
    footer: [...(telling.cost === undefined ? [] : [telling.cost]), ...facts].join(" · "),
    selects: [...selectsFor(design, words), ...(video === undefined ? [] : [video])],
    buttons: [...buttonsFor(design, words), ...(maySet(ctx) ? [settings.button(ctx)] : [])],
    isPrivate: true,
  });
}

interface EditorOf {
  readonly design: Design;
  readonly cutout: ReplyFile;
  readonly telling?: Telling;
}

function missingLine(missing: readonly string[], words: Words): readonly Text[] {
  if (missing.length === 0) return [];
  const characters = missing.slice(0, mostMissing).join(" ");
  return [words.md("thumbnails.missing", { count: missing.length, characters })];
}

function altOf({ title, name }: Design, words: Words): string {
  if (title === undefined) return words.say("thumbnails.alt", { name });
  return words.say("thumbnails.alt_title", { name, title });
}
