import { checkColors, drawBackdrop, rgbOf } from "../cutout/backdrop.ts";
import { openCutout } from "../cutout/cutout.ts";
import { drawShadow } from "../cutout/shadow.ts";
import { type Box, openSubject, type Subject } from "../cutout/subject.ts";
import { aim, maxEncodes, qualityPerE } from "../fit/lower.ts";
import { orDamaged, refusal } from "../refusal.ts";
import { loadSharp } from "../sharp.ts";
import type { Size } from "../size.ts";
import type { Thumbnail, ThumbnailOptions } from "../types.ts";
import { openLettering } from "./lettering.ts";
import { inked, type Layer, layer } from "./paint.ts";
import { layOutThumbnail, type Standing } from "./thumbnail-layout.ts";
import { drawTitle, setTitle } from "./title.ts";

type Options = Omit<ThumbnailOptions, "signal">;

const maxTitle = 100;
const usualQuality = 92;
const leastQuality = 20;

/** A cut-out and a title on a backdrop. */
export async function thumbnail(cutout: Buffer, options: Options): Promise<Thumbnail> {
  const { width, height, backdrop, subject: side = "right", title } = options;
  const size = { width, height };
  checkColors(backdrop);
  const color = title?.color === undefined ? undefined : rgbOf(title.color);
  const lettering = await openLettering();
  const { text, missing } = lettering.writable(
    Array.from(title?.text ?? "")
      .slice(0, maxTitle)
      .join(""),
  );
  const { subject, standing } = await open(cutout, options);
  const letters = (box: Size) => setTitle(text, lettering, { box, height }).size;
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
async function open(
  bytes: Buffer,
  { foreground }: Options,
): Promise<{ subject: Subject; standing: Standing }> {
  return orDamaged(async () => {
    const cutout = await openCutout(bytes);
    const subject = await openSubject(cutout, foreground);
    return { subject, standing: standingOf(subject, cutout) };
  });
}

function standingOf({ width, height, box }: Subject, picture: Size): Standing {
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
  subject: Subject,
  box: Box,
  { width, height, shadow }: Options,
): Promise<readonly Layer[]> {
  const sharp = await loadSharp();
  const raw = { width: subject.width, height: subject.height, channels: 4 } as const;
  const data = await sharp(subject.data, { raw })
    .resize(box.width, box.height, { fit: "fill" })
    .raw()
    .toBuffer();
  const drawn = layer(data, box, box);
  if (!shadow) return [drawn];
  const alpha = Buffer.alloc(width * height);
  for (let y = 0; y < box.height; y++) {
    const row = (box.top + y) * width + box.left;
    for (let x = 0; x < box.width; x++) alpha[row + x] = data[(y * box.width + x) * 4 + 3] ?? 0;
  }
  const shade = await drawShadow(alpha, { width, height }, { subject: box, shadow });
  return [inked({ data: shade, width, height }, { color: [0, 0, 0] }, { left: 0, top: 0 }), drawn];
}

/** A file of these measures and colours is small; only the quality gives way. */
async function write(
  rgb: Buffer,
  layers: readonly Layer[],
  { width, height, maxBytes }: Options,
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
    if (quality === leastQuality) throw refusal.tooLarge(bytes.length, maxBytes);
    const over = bytes.length / (maxBytes * aim);
    const lowered = Math.floor(quality - qualityPerE * Math.log(over));
    quality = encodes < maxEncodes ? Math.max(leastQuality, lowered) : leastQuality;
  }
}
