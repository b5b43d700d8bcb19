import type { Ctx, ReplyFile } from "../../discord/index.ts";
import type { PictureBox } from "../../images/index.ts";
import { pictureGone } from "../branding/picture.ts";
import { type FoundSubject, foregroundOption, foundIn } from "../cutout/found-subject.ts";

/** A thumbnail has less than a megapixel, and what is left out of it may be most of the picture. */
const maxPixels = 6_000_000;
/** It is sent anew with every change. */
const maxBytes = 2_000_000;

const names = { png: "cutout.png", webp: "cutout.webp" } as const;
const shownName = "thumbnail.jpg";

/** A cut-out that goes with the editor's message, and where the subject is in it. */
export interface TravellingCutout {
  readonly file: ReplyFile;
  readonly foreground?: PictureBox;
}

/**
 * A cut-out small enough to travel along with the editor.
 * @throws InputError `picture_opaque` and the other refusals of a picture; ServiceError `cutout_damaged`
 */
export async function travelling(
  ctx: Ctx,
  cutout: Uint8Array,
  found: FoundSubject = {},
): Promise<TravellingCutout> {
  const asItIs = await smallEnough(ctx, cutout);
  if (asItIs !== undefined) return { file: asItIs, ...foregroundOption(found) };
  return composed(ctx, cutout, found);
}

/** The same whatever its size, so that a picture nothing shows through is refused. */
export async function composed(
  ctx: Ctx,
  cutout: Uint8Array,
  found: FoundSubject = {},
): Promise<TravellingCutout> {
  const { signal } = ctx;
  const wanted = { format: "webp", maxPixels, maxBytes, signal } as const;
  const made = await ctx.images.compose(cutout, wanted);
  const file = { name: names.webp, data: made.bytes };
  return { file, ...foregroundOption(foundIn(found, made)) };
}

/** What it carries is judged again when it is drawn. */
async function smallEnough(ctx: Ctx, cutout: Uint8Array): Promise<ReplyFile | undefined> {
  const isZip = cutout[0] === 0x50 && cutout[1] === 0x4b;
  if (isZip || cutout.byteLength > maxBytes) return undefined;
  const { format, width, height } = await ctx.images.inspect(cutout, { signal: ctx.signal });
  if ((format !== "png" && format !== "webp") || width * height > maxPixels) return undefined;
  return { name: names[format], data: cutout };
}

/** The cut-out of the editor whose button was pressed. @throws InputError `attachment_gone` */
export async function carriedCutout(ctx: Ctx): Promise<ReplyFile> {
  const found = ctx.attachments.find(({ filename }) =>
    Object.values<string>(names).includes(filename),
  );
  if (found === undefined) throw pictureGone();
  return { name: found.filename, data: await ctx.fetchAttachment(found) };
}

/** The thumbnail as the editor shows it. @throws InputError `attachment_gone` */
export function shownThumbnail(ctx: Ctx): Promise<Buffer> {
  const found = ctx.attachments.find(({ filename }) => filename === shownName);
  if (found === undefined) throw pictureGone();
  return ctx.fetchAttachment(found);
}

export function thumbnailFile(data: Uint8Array, alt: string): ReplyFile {
  return { name: shownName, data, alt };
}
