import type { ReplyFile } from "../../discord/index.ts";
import type { PictureBox } from "../../images/index.ts";
import { pictureGoneError } from "../branding/index.ts";
import type { Ctx } from "../context/index.ts";
import { type FoundSubject, foregroundOption, scaleFoundSubject } from "../cutout/index.ts";

/** A thumbnail has less than a megapixel, but may show only a small part of the cut-out. */
const maxPixels = 6_000_000;
/** Small, because the cut-out is sent again with every change. */
const maxBytes = 2_000_000;

const names = { png: "cutout.png", webp: "cutout.webp" } as const;
const shownName = "thumbnail.jpg";

/** A cut-out as a file of the editor's message, and where the subject is in it. */
interface CarriedCutout {
  readonly file: ReplyFile;
  readonly foreground?: PictureBox;
}

/**
 * A cut-out that is small enough to be a file of the editor's message.
 * @throws InputError `picture_opaque` and what else is wrong with a picture; ServiceError `cutout_damaged`
 */
export async function fitEditorCutout(
  ctx: Ctx,
  cutout: Uint8Array,
  found: FoundSubject = {},
): Promise<CarriedCutout> {
  const isZip = cutout[0] === 0x50 && cutout[1] === 0x4b;
  if (isZip || cutout.byteLength > maxBytes) return composeEditorCutout(ctx, cutout, found);
  const { format, width, height } = await ctx.images.inspect(cutout, { signal: ctx.signal });
  if ((format !== "png" && format !== "webp") || width * height > maxPixels) {
    return composeEditorCutout(ctx, cutout, found);
  }
  // As it is, without a check for transparency: that happens when the thumbnail is drawn.
  return { file: { name: names[format], data: cutout }, ...foregroundOption(found) };
}

/** The same, but always composed, so that a picture without transparency is refused. */
export async function composeEditorCutout(
  ctx: Ctx,
  cutout: Uint8Array,
  found: FoundSubject = {},
): Promise<CarriedCutout> {
  const { signal } = ctx;
  const wanted = { format: "webp", maxPixels, maxBytes, signal } as const;
  const made = await ctx.images.compose(cutout, wanted);
  const file = { name: names.webp, data: made.bytes };
  return { file, ...foregroundOption(scaleFoundSubject(found, made)) };
}

/** The cut-out in the editor's message whose button was pressed. @throws InputError `attachment_gone` */
export async function readEditorCutout(ctx: Ctx): Promise<ReplyFile> {
  const found = ctx.attachments.find(({ filename }) =>
    Object.values<string>(names).includes(filename),
  );
  if (found === undefined) throw pictureGoneError();
  return { name: found.filename, data: await ctx.fetchAttachment(found) };
}

/** The thumbnail as the editor shows it. @throws InputError `attachment_gone` */
export function readShownThumbnail(ctx: Ctx): Promise<Buffer> {
  const found = ctx.attachments.find(({ filename }) => filename === shownName);
  if (found === undefined) throw pictureGoneError();
  return ctx.fetchAttachment(found);
}

export function thumbnailFile(data: Uint8Array, alt: string): ReplyFile {
  return { name: shownName, data, alt };
}
