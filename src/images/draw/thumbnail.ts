import { checkColors, drawBackdrop, parseHexColor } from "../cutout/backdrop.ts";
import { openCutout } from "../cutout/cutout.ts";
import { drawShadow } from "../cutout/shadow.ts";
import { type CutoutSubject, openSubject } from "../cutout/subject.ts";
import { maxEncodes, qualityPerE, sizeGoalShare } from "../fit/lower-effort.ts";
import { asDamagedCutout, pictureErrors } from "../picture-errors.ts";
import { loadSharp } from "../sharp.ts";
import type { PictureDimensions } from "../size.ts";
import type { PictureBox, ThumbnailOptions, ThumbnailPicture, ThumbnailTitle } from "../types.ts";
import { chooseWord, findWord } from "./emphasis.ts";
import { type Lettering, openLettering } from "./lettering.ts";
import { drawThumbnailLook, glowColor } from "./look.ts";
import { clipLayer, createPaintLayer, type PaintLayer, paintMask } from "./paint.ts";
import { drawSubjectEdge } from "./subject-edge.ts";
import { drawSvg } from "./svg.ts";
import { layOutThumbnail, type StandingSubject } from "./thumbnail-layout.ts";
import { drawTitle, layOutTitle } from "./title.ts";

type DrawSettings = Omit<ThumbnailOptions, "signal">;

const maxTitleCharacters = 100;
const [leastZoom, mostZoom] = [0.4, 2.5];
const usualQuality = 92;
const leastQuality = 20;

/** A cut-out and a title on a backdrop. */
export async function composeThumbnail(
  cutout: Buffer,
  options: DrawSettings,
): Promise<ThumbnailPicture> {
  const { width, height, backdrop, subject: side = "right", title, zoom, shift } = options;
  const size = { width, height };
  if (backdrop.kind !== "look") checkColors(backdrop);
  const [titleColor, emphasisColor] = [title?.color, title?.emphasis?.color].map((color) =>
    color === undefined ? undefined : parseHexColor(color),
  );
  const { lettering, text, missing } = await readTitle(title?.text ?? "");
  const { subject, standing } = await openStandingSubject(cutout, options);
  const letters = (box: PictureDimensions) => layOutTitle(text, lettering, { box, height }).size;
  const layout = layOutThumbnail(standing, {
    canvas: size,
    side,
    ...(text !== "" && { letters }),
    ...(zoom !== undefined && { zoom: Math.min(mostZoom, Math.max(leastZoom, zoom)) }),
    ...(shift && { shift }),
  });
  const placed = await placeSubject(subject, layout.subject);
  const rgb =
    backdrop.kind === "look"
      ? drawThumbnailLook(backdrop.look, size, { rgba: placed.data, box: placed })
      : await drawBackdrop(backdrop, size);
  const layers = await subjectLayers(placed, options);
  const span = title && chooseSpan(text, title, lettering);
  const written = layout.title
    ? await drawTitle(
        text,
        {
          box: layout.title,
          ...(titleColor && { color: titleColor }),
          ...(title?.align && { align: title.align }),
          ...(span && {
            emphasis: { ...span, ...(emphasisColor && { color: emphasisColor }) },
          }),
        },
        { rgb, ...size },
      )
    : [];
  const badge = options.number === undefined ? [] : [await drawNumber(options.number, size)];
  const bytes = await write(rgb, [...layers, ...written, ...badge], options);
  return { bytes, ...size, missing };
}

/** The characters of a title that no font here has. */
export async function findUnwritable({ title }: { readonly title: string }) {
  const { missing } = await readTitle(title);
  return { missing };
}

async function readTitle(title: string) {
  const cut = Array.from(title).slice(0, maxTitleCharacters).join("");
  const lettering = await openLettering("display", [cut]);
  return { lettering, ...lettering.writable(cut) };
}

/** The word that stands out: the chosen one, else one of ours. */
function chooseSpan(text: string, { emphasis }: ThumbnailTitle, { writable }: Lettering) {
  if (!emphasis) return undefined;
  return emphasis.word === undefined
    ? chooseWord(text)
    : findWord(text, writable(emphasis.word).text);
}

/** @throws what `openCutout` and `openSubject` throw */
async function openStandingSubject(
  bytes: Buffer,
  { foreground, isTrimmed = false }: DrawSettings,
): Promise<{ subject: CutoutSubject; standing: StandingSubject }> {
  return asDamagedCutout(async () => {
    const cutout = await openCutout(bytes);
    const subject = await openSubject(cutout, foreground);
    const { width, height, box } = subject;
    const cut = {
      left: !isTrimmed && box.left === 0,
      right: !isTrimmed && box.left + box.width === cutout.width,
      top: !isTrimmed && box.top === 0,
      bottom: !isTrimmed && box.top + box.height === cutout.height,
    };
    return { subject, standing: { width, height, cut } };
  });
}

/** The subject in its final size, and where it goes. */
interface PlacedSubject extends PictureBox {
  readonly data: Buffer;
}

async function placeSubject(subject: CutoutSubject, box: PictureBox): Promise<PlacedSubject> {
  const sharp = await loadSharp();
  const raw = { width: subject.width, height: subject.height, channels: 4 } as const;
  const data = await sharp(subject.data, { raw })
    .resize(box.width, box.height, { fit: "fill" })
    .raw()
    .toBuffer();
  return { ...box, data };
}

/** The shadow and the edge, where they are wanted, and the subject. What is beyond the canvas is left out. */
async function subjectLayers(
  subject: PlacedSubject,
  { width, height, shadow, edge }: DrawSettings,
): Promise<readonly PaintLayer[]> {
  const size = { width, height };
  const corner = { left: 0, top: 0 };
  const data = Buffer.alloc(width * height * 4);
  const alpha = Buffer.alloc(width * height);
  const from = Math.max(0, subject.left);
  const to = Math.min(width, subject.left + subject.width);
  for (let y = Math.max(0, subject.top); y < Math.min(height, subject.top + subject.height); y++) {
    const row = (y - subject.top) * subject.width - subject.left;
    subject.data.copy(data, (y * width + from) * 4, (row + from) * 4, (row + to) * 4);
    for (let x = from; x < to; x++) alpha[y * width + x] = subject.data[(row + x) * 4 + 3] ?? 0;
  }
  const layers: PaintLayer[] = [];
  if (shadow) {
    const shade = await drawShadow(alpha, size, { subject, shadow });
    layers.push(paintMask({ data: shade, ...size }, { color: [0, 0, 0] }, corner));
  }
  if (edge) {
    layers.push(
      ...(await drawSubjectEdge({ data: alpha, ...size }, edge, glowColor(subject.data))),
    );
  }
  return [...layers, createPaintLayer(data, size, corner)];
}

/** A number on a dark disc in the upper left corner, above a title, to name one of several pictures. */
async function drawNumber(number: number, { height }: PictureDimensions): Promise<PaintLayer> {
  const side = Math.round(height * 0.12);
  const corner = Math.round(height * 0.02);
  const lettering = await openLettering("display", [`${number}`]);
  const size = side * 0.6;
  const elements = [
    `<circle cx="50%" cy="50%" r="${side / 2 - 1.5}" fill="#141518" stroke="#fff" stroke-width="3"/>`,
    `<text x="50%" y="${side / 2 + size * 0.36}" font-size="${size}" fill="#fff" text-anchor="middle">${number}</text>`,
  ];
  const badge = await drawSvg({ width: side, height: side }, elements, lettering);
  return { ...badge, left: corner, top: corner };
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
    .composite(layers.map((layer) => ({ ...clipLayer(layer, { width, height }) })))
    .removeAlpha()
    .raw()
    .toBuffer();
  let quality = usualQuality;
  for (let encodes = 1; ; encodes++) {
    const bytes = await sharp(composed, { raw: { width, height, channels: 3 } })
      .jpeg({ quality, chromaSubsampling: quality > 85 ? "4:4:4" : "4:2:0" })
      .toBuffer();
    if (bytes.length <= maxBytes) return bytes;
    if (quality === leastQuality) throw pictureErrors.tooLarge(bytes.length, maxBytes);
    const over = bytes.length / (maxBytes * sizeGoalShare);
    const lowered = Math.floor(quality - qualityPerE * Math.log(over));
    quality = encodes < maxEncodes ? Math.max(leastQuality, lowered) : leastQuality;
  }
}
