import { checkColors, drawBackdrop, parseHexColor } from "../cutout/backdrop.ts";
import { openCutout } from "../cutout/cutout.ts";
import { drawShadow } from "../cutout/shadow.ts";
import { type CutoutSubject, openSubject } from "../cutout/subject.ts";
import { maxEncodes, qualityPerE, sizeGoalShare } from "../fit/lower-effort.ts";
import { asDamagedCutout, pictureRefusal } from "../refusal.ts";
import { loadSharp } from "../sharp.ts";
import type { PictureDimensions } from "../size.ts";
import type { PictureBox, ThumbnailOptions, ThumbnailPicture } from "../types.ts";
import { openLettering } from "./lettering.ts";
import { createPaintLayer, type PaintLayer, paintMask } from "./paint.ts";
import { layOutThumbnail, type StandingSubject } from "./thumbnail-layout.ts";
import { drawTitle, layOutTitle } from "./title.ts";

type DrawSettings = Omit<ThumbnailOptions, "signal">;

const maxTitleCharacters = 100;
const usualQuality = 92;
const leastQuality = 20;

/** A cut-out and a title on a backdrop. */
export async function composeThumbnail(
  cutout: Buffer,
  options: DrawSettings,
): Promise<ThumbnailPicture> {
  const { width, height, backdrop, subject: side = "right", title } = options;
  const size = { width, height };
  checkColors(backdrop);
  const color = title?.color === undefined ? undefined : parseHexColor(title.color);
  const lettering = await openLettering();
  const { text, missing } = lettering.writable(
    Array.from(title?.text ?? "")
      .slice(0, maxTitleCharacters)
      .join(""),
  );
  const { subject, standing } = await openStandingSubject(cutout, options);
  const letters = (box: PictureDimensions) => layOutTitle(text, lettering, { box, height }).size;
  const layout = layOutThumbnail(standing, {
    canvas: size,
    side,
    ...(text !== "" && { letters }),
  });
  const rgb = await drawBackdrop(backdrop, size);
  const layers = await subjectLayers(subject, layout.subject, options);
  const isCalm = backdrop.kind !== "picture" && side !== "center";
  const written = layout.title
    ? await drawTitle(
        text,
        { box: layout.title, ...(color && { color }) },
        { rgb, ...size, isCalm },
      )
    : [];
  const bytes = await write(rgb, [...layers, ...written], options);
  return { bytes, ...size, missing };
}

/** @throws what `openCutout` and `openSubject` throw */
async function openStandingSubject(
  bytes: Buffer,
  { foreground }: DrawSettings,
): Promise<{ subject: CutoutSubject; standing: StandingSubject }> {
  return asDamagedCutout(async () => {
    const cutout = await openCutout(bytes);
    const subject = await openSubject(cutout, foreground);
    return { subject, standing: cutsOf(subject, cutout) };
  });
}

function cutsOf(
  { width, height, box }: CutoutSubject,
  picture: PictureDimensions,
): StandingSubject {
  const cut = {
    left: box.left === 0,
    right: box.left + box.width === picture.width,
    top: box.top === 0,
    bottom: box.top + box.height === picture.height,
  };
  return { width, height, cut };
}

/** The shadow, where one is wanted, and the subject in its place. */
async function subjectLayers(
  subject: CutoutSubject,
  box: PictureBox,
  { width, height, shadow }: DrawSettings,
): Promise<readonly PaintLayer[]> {
  const sharp = await loadSharp();
  const raw = { width: subject.width, height: subject.height, channels: 4 } as const;
  const data = await sharp(subject.data, { raw })
    .resize(box.width, box.height, { fit: "fill" })
    .raw()
    .toBuffer();
  const drawn = createPaintLayer(data, box, box);
  if (!shadow) return [drawn];
  const alpha = Buffer.alloc(width * height);
  for (let y = 0; y < box.height; y++) {
    const row = (box.top + y) * width + box.left;
    for (let x = 0; x < box.width; x++) alpha[row + x] = data[(y * box.width + x) * 4 + 3] ?? 0;
  }
  const shade = await drawShadow(alpha, { width, height }, { subject: box, shadow });
  return [
    paintMask({ data: shade, width, height }, { color: [0, 0, 0] }, { left: 0, top: 0 }),
    drawn,
  ];
}

/** A thumbnail has few pixels, so only the quality is lowered until the file fits. */
async function write(
  rgb: Buffer,
  layers: readonly PaintLayer[],
  { width, height, maxBytes }: DrawSettings,
): Promise<Buffer> {
  const sharp = await loadSharp();
  const base = sharp(rgb, { raw: { width, height, channels: 3 } });
  const composed = await base
    .composite(layers.map(({ input, raw, left, top }) => ({ input, raw, left, top })))
    .removeAlpha()
    .raw()
    .toBuffer();
  let quality = usualQuality;
  for (let encodes = 1; ; encodes++) {
    const bytes = await sharp(composed, { raw: { width, height, channels: 3 } })
      .jpeg({ quality, chromaSubsampling: quality > 85 ? "4:4:4" : "4:2:0" })
      .toBuffer();
    if (bytes.length <= maxBytes) return bytes;
    if (quality === leastQuality) throw pictureRefusal.tooLarge(bytes.length, maxBytes);
    const over = bytes.length / (maxBytes * sizeGoalShare);
    const lowered = Math.floor(quality - qualityPerE * Math.log(over));
    quality = encodes < maxEncodes ? Math.max(leastQuality, lowered) : leastQuality;
  }
}
