import { readPixels } from "../../images/index.ts";
import { fitBackdrop } from "./backdrop.ts";
import {
  type Box,
  type Cutout,
  correctEdges,
  crop,
  foreground,
  onBackdrop,
  withMargin,
} from "./cutout.ts";
import { encode, type FileFormat, settleFormat } from "./encode.ts";
import { type Job, sizes } from "./job.ts";
import type { Matting } from "./matte.ts";
import { refuse } from "./refusals.ts";

const maxPngMegapixels = 10;

/** What there is to do; plain values, because it goes to another thread. */
export interface Order {
  readonly bytes: Uint8Array;
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
  /** Where the foreground is, in pixels of the result. */
  readonly box: Box;
}

/** From a picture's bytes to the file that was asked for. */
export async function makeCutout(order: Order, matting: Matting): Promise<Made> {
  const { job } = order;
  const { cutout, box } = await cut(order, matting);
  const backdrop = await fitBackdrop(order, cutout);
  const laid = backdrop === undefined ? cutout : onBackdrop(cutout, backdrop);
  const format = settleFormat(job, laid);
  const bytes = await encode(laid, format, job);
  return { bytes, format, width: laid.width, height: laid.height, box };
}

async function cut({ bytes, job }: Order, matting: Matting): Promise<{ cutout: Cutout; box: Box }> {
  const picture = await readPixels(bytes, { maxPixels: maxPixels(job) }).catch(() => {
    throw refuse("failed_to_read_image");
  });
  const { width, height, data: color } = picture;
  const whole = { width, height, color, alpha: await matting(picture, bytes) };
  const found = foreground(whole);
  if (found === undefined) throw refuse("unknown_foreground");
  const edged = job.channels === "alpha" ? whole : correctEdges(whole);
  if (!job.crop) return { cutout: edged, box: found };
  const frame = withMargin(found, job.margin);
  const box = { ...found, left: found.left - frame.left, top: found.top - frame.top };
  return { cutout: crop(edged, frame), box };
}

function maxPixels({ size, format, bgColor }: Job): number {
  const becomesPng = format === "png" || (format === "auto" && bgColor?.[3] !== 255);
  return 1e6 * (becomesPng ? Math.min(sizes[size], maxPngMegapixels) : sizes[size]);
}
