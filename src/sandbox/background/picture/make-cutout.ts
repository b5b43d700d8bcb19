import { zipSync } from "fflate";
import { readPixels, resizePixels, writePixels } from "../../../images/index.ts";
import { toBackgroundError } from "../errors.ts";
import type { PictureInput } from "../request/input.ts";
import { type CutoutJob, cutoutSizes } from "../request/job.ts";
import type { RgbaColor } from "../request/values.ts";
import {
  type CutPicture,
  clearOutside,
  correctEdges,
  cutSamples,
  foreground,
  type PixelBox,
  type PixelSize,
} from "./cutout.ts";
import { arrange, layOutSubject } from "./layout.ts";
import type { Matting } from "./matte.ts";
import { castShadow } from "./shadow.ts";

const maxPngMegapixels = 10;

/** What there is to do. */
export interface QueuedCutout {
  readonly input: PictureInput;
  readonly job: CutoutJob;
  /** A picture to lay behind the foreground. */
  readonly backdrop: Uint8Array | undefined;
}

/** The file and what it shows. */
export interface CutoutFile {
  readonly bytes: Uint8Array;
  readonly format: FileFormat;
  readonly width: number;
  readonly height: number;
  /** Where the subject is, without its shadow, in pixels of the result. */
  readonly box: PixelBox;
}

/**
 * From a picture's bytes to the file that was asked for, always in this order: upright and within the size; cut out;
 * nothing outside the region; cropped, scaled and moved to its place; its edges without the background's tint; its
 * shadow below it; the backdrop behind both; the format. Each step works on what the one before made, so that a margin
 * is of the subject as it was found, a scale of the canvas after the crop, and a shadow of the subject where it stands.
 * @throws BackgroundError `failed_to_read_image` and `unknown_foreground`
 */
export async function makeCutout(order: QueuedCutout, matting: Matting): Promise<CutoutFile> {
  const { job, backdrop } = order;
  const { cutout, box } = await placeSubject(order, matting);
  if (job.channels === "rgba") correctEdges(cutout);
  if (job.shadow !== undefined) castShadow(cutout, box, job.shadow);
  if (job.channels === "rgba") {
    const behind = await fitBackdrop({ color: job.bgColor, picture: backdrop }, cutout);
    if (behind !== undefined) layOn(cutout, behind);
  }
  const { width, height } = cutout;
  let { format } = job;
  if (format === "auto") {
    const isClear = job.channels === "alpha" || cutout.alpha.some((value) => value < 255);
    format = isClear ? "png" : "jpg";
  }
  return { bytes: await encode(cutout, format, job), format, width, height, box };
}

/** The cut-out on its canvas, and the box of its subject. */
async function placeSubject(
  order: QueuedCutout,
  matting: Matting,
): Promise<{ readonly cutout: CutPicture; readonly box: PixelBox }> {
  const { input, job, backdrop } = order;
  // PNG stops earlier than the rest, and `auto` becomes PNG unless the background is opaque.
  const hasBackdrop = backdrop !== undefined || job.bgColor?.[3] === 255;
  const isOpaque = job.channels === "rgba" && hasBackdrop;
  const becomesPng = job.format === "png" || (job.format === "auto" && !isOpaque);
  const largest = becomesPng ? maxPngMegapixels : Infinity;
  const maxPixels = 1e6 * Math.min(cutoutSizes[job.size], largest);
  const picture = await readPixels(input.bytes, { maxPixels }).catch(() => {
    throw toBackgroundError("failed_to_read_image");
  });
  const { width, height, data: color } = picture;
  const whole = { width, height, color, alpha: await matting(picture, input.bytes) };
  clearOutside(whole, job.region, input);
  const found = foreground(whole);
  if (found === undefined) throw toBackgroundError("unknown_foreground");
  const layout = layOutSubject(found, whole, { ...job, maxPixels });
  return { cutout: await arrange(whole, found, layout), box: layout.subject };
}

export type FileFormat = Exclude<CutoutJob["format"], "auto">;

const white = { color: Uint8Array.of(255, 255, 255), alpha: 255 };

/** A ZIP always has both, and the matte alone is grey in every other format. JPG without a backdrop is on white. */
async function encode(cutout: CutPicture, format: FileFormat, job: CutoutJob): Promise<Uint8Array> {
  if (format === "zip") return toZip(cutout);
  const { width, height, color, alpha } = cutout;
  if (job.channels === "alpha") {
    return writePixels({ data: alpha, width, height, channels: 1 }, { format });
  }
  if (format === "jpg") {
    layOn(cutout, white);
    return writePixels({ data: color, width, height, channels: 3 }, { format });
  }
  // Clear pixels hold no colour, so that the removed background can't be read back.
  for (let i = 0; i < alpha.length; i++) {
    if (alpha[i] === 0) color.fill(0, i * 3, i * 3 + 3);
  }
  return writePixels({ data: color, width, height, channels: 3 }, { format, alpha });
}

/** Stored, as remove.bg sends them: both files are compressed already. */
async function toZip({ width, height, color, alpha }: CutPicture): Promise<Uint8Array> {
  const colors = { data: color, width, height, channels: 3 } as const;
  const matte = { data: alpha, width, height, channels: 1 } as const;
  const files = {
    "color.jpg": await writePixels(colors, { format: "jpg" }),
    "alpha.png": await writePixels(matte, { format: "png" }),
  };
  return zipSync(files, { level: 0 });
}

/** The background: one colour, or a picture of the cut-out's own size. */
interface FittedBackdrop {
  /** RGB of each pixel, or of all when it is 3 long. */
  readonly color: Uint8Array;
  /** Of all pixels, 0 to 255. */
  readonly alpha: number;
}

/** The colour or the picture to lay behind, once the canvas is known. */
async function fitBackdrop(
  ground: { readonly color: RgbaColor | undefined; readonly picture: Uint8Array | undefined },
  canvas: PixelSize,
): Promise<FittedBackdrop | undefined> {
  if (ground.picture !== undefined)
    return { color: await cover(ground.picture, canvas), alpha: 255 };
  if (ground.color === undefined) return undefined;
  const [red, green, blue, alpha] = ground.color;
  return { color: Uint8Array.of(red, green, blue), alpha };
}

/** Centred and scaled to cover the canvas, its proportions kept. */
async function cover(bytes: Uint8Array, { width, height }: PixelSize): Promise<Uint8Array> {
  const picture = await readPixels(bytes).catch(() => {
    throw toBackgroundError("failed_to_read_image");
  });
  const scale = Math.max(width / picture.width, height / picture.height);
  // Cut to the canvas's shape before it is scaled: enlarging what nobody sees would take the most memory.
  const part = {
    width: Math.min(picture.width, Math.max(1, Math.round(width / scale))),
    height: Math.min(picture.height, Math.max(1, Math.round(height / scale))),
  };
  const left = Math.floor((picture.width - part.width) / 2);
  const top = Math.floor((picture.height - part.height) / 2);
  const data = cutSamples(picture.data, picture, { left, top, ...part });
  if (part.width === width && part.height === height) return data;
  const to = { width, height, kernel: "cubic" } as const;
  return (await resizePixels({ data, ...part, channels: 3 }, to)).data;
}

/** Lays the cut-out on a backdrop, which may be clear itself, in place. */
export function layOn({ color, alpha }: CutPicture, backdrop: FittedBackdrop): void {
  const stride = backdrop.color.length === 3 ? 0 : 3;
  for (let i = 0; i < alpha.length; i++) {
    if (alpha[i] === 255) continue;
    const front = (alpha[i] ?? 0) / 255;
    const back = (backdrop.alpha / 255) * (1 - front);
    const total = front + back;
    if (total === 0) continue;
    alpha[i] = Math.round(total * 255);
    for (let c = 0; c < 3; c++) {
      const behind = backdrop.color[i * stride + c] ?? 0;
      color[i * 3 + c] = Math.round(((color[i * 3 + c] ?? 0) * front + behind * back) / total);
    }
  }
}
