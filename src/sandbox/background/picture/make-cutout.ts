import { readPixels } from "../../../images/index.ts";
import { refuse } from "../refusals.ts";
import type { Input } from "../request/input.ts";
import { type Job, sizes } from "../request/job.ts";
import { fitBackdrop, layOn } from "./backdrop.ts";
import { type Box, type Cutout, clearOutside, correctEdges, foreground } from "./cutout.ts";
import { encode, type FileFormat, settleFormat } from "./encode.ts";
import { arrange, layOut } from "./layout.ts";
import type { Matting } from "./matte.ts";
import { castShadow } from "./shadow.ts";

const maxPngMegapixels = 10;

/** What there is to do. */
export interface Order {
  readonly input: Input;
  readonly job: Job;
  /** A picture to lay behind the foreground. */
  readonly backdrop: Uint8Array | undefined;
}

/** The file and what it shows. */
export interface Made {
  readonly bytes: Uint8Array;
  readonly format: FileFormat;
  readonly width: number;
  readonly height: number;
  /** Where the subject is, without its shadow, in pixels of the result. */
  readonly box: Box;
}

/**
 * From a picture's bytes to the file that was asked for, always in this order: upright and within the size; cut out;
 * nothing outside the region; cropped, scaled and moved to its place; its edges without the background's tint; its
 * shadow below it; the backdrop behind both; the format. Each step works on what the one before made, so that a margin
 * is of the subject as it was found, a scale of the canvas after the crop, and a shadow of the subject where it stands.
 * @throws Refusal `failed_to_read_image` and `unknown_foreground`
 */
export async function makeCutout(order: Order, matting: Matting): Promise<Made> {
  const { job, backdrop } = order;
  const { cutout, box } = await subjectOf(order, matting);
  if (job.channels === "rgba") correctEdges(cutout);
  if (job.shadow !== undefined) castShadow(cutout, box, job.shadow);
  if (job.channels === "rgba") {
    const behind = await fitBackdrop({ color: job.bgColor, picture: backdrop }, cutout);
    if (behind !== undefined) layOn(cutout, behind);
  }
  const { width, height } = cutout;
  const format = settleFormat(job, cutout);
  return { bytes: await encode(cutout, format, job), format, width, height, box };
}

/** The cut-out on its canvas, and the box of its subject. */
async function subjectOf(
  order: Order,
  matting: Matting,
): Promise<{ readonly cutout: Cutout; readonly box: Box }> {
  const { input, job } = order;
  const maxPixels = maxPixelsOf(order);
  const picture = await readPixels(input.bytes, { maxPixels }).catch(() => {
    throw refuse("failed_to_read_image");
  });
  const { width, height, data: color } = picture;
  const whole = { width, height, color, alpha: await matting(picture, input.bytes) };
  clearOutside(whole, job.region, input);
  const found = foreground(whole);
  if (found === undefined) throw refuse("unknown_foreground");
  const layout = layOut(found, whole, { ...job, maxPixels });
  return { cutout: await arrange(whole, found, layout), box: layout.subject };
}

/** PNG stops earlier than the rest, and `auto` becomes PNG unless something opaque lies behind. */
function maxPixelsOf({ job: { size, format, channels, bgColor }, backdrop }: Order): number {
  const isOpaque = channels === "rgba" && (backdrop !== undefined || bgColor?.[3] === 255);
  const becomesPng = format === "png" || (format === "auto" && !isOpaque);
  return 1e6 * (becomesPng ? Math.min(sizes[size], maxPngMegapixels) : sizes[size]);
}
