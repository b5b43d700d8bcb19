import { readPixels } from "../../images/index.ts";
import { readBackdrop } from "./backdrop.ts";
import {
  type Box,
  type Cutout,
  correctEdges,
  crop,
  foreground,
  onBackdrop,
  withMargin,
} from "./cutout.ts";
import { checkDimensions } from "./dimensions.ts";
import { encode, type FileFormat, settleFormat } from "./encode.ts";
import { readForm } from "./form.ts";
import { readInput } from "./input.ts";
import { type Job, readJob, sizes } from "./job.ts";
import type { Ledger, Rate } from "./ledger.ts";
import { toPixels } from "./lengths.ts";
import type { Matting } from "./matte.ts";
import { refuse } from "./refusals.ts";

const maxPngMegapixels = 10;

export interface Removed {
  readonly bytes: Uint8Array;
  readonly format: FileFormat;
  readonly width: number;
  readonly height: number;
  readonly box: Box;
  /** What the service takes the foreground for; absent when it was told not to say. */
  readonly type: string | undefined;
  readonly credits: number;
  readonly rate: Rate;
}

/** POST /removebg from the body to the file, charged once the file exists. */
export async function removeBackground(
  request: Request,
  { ledger, matting }: { readonly ledger: Ledger; readonly matting: Matting },
): Promise<Removed> {
  const form = await readForm(request);
  const job = readJob(form);
  const bytes = await readInput(form);
  const { width, height } = checkDimensions(bytes);
  checkRegion(job, width, height);
  const rate = ledger.admit(width * height);
  const credits = ledger.charge(job.size, width * height);
  const work = async (): Promise<Omit<Removed, "type" | "credits" | "rate">> => {
    const backdrop = await readBackdrop(form, job);
    const { cutout, box } = await cut(bytes, job, matting);
    const laid = backdrop === undefined ? cutout : onBackdrop(cutout, await backdrop(cutout));
    const format = settleFormat(job, laid);
    const file = await encode(laid, format, job);
    return { bytes: file, format, width: laid.width, height: laid.height, box };
  };
  const done = await work().catch((cause: unknown) => {
    ledger.refund(credits);
    throw cause;
  });
  return { ...done, type: foundType(job), credits, rate };
}

async function cut(
  bytes: Uint8Array,
  job: Job,
  matting: Matting,
): Promise<{ cutout: Cutout; box: Box }> {
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

function checkRegion({ region }: Job, width: number, height: number): void {
  const [left, top, right, bottom] = region;
  const [x1, x2] = [toPixels(left, width), toPixels(right, width)];
  const [y1, y2] = [toPixels(top, height), toPixels(bottom, height)];
  if (Math.max(x1, x2) > width || Math.max(y1, y2) > height) throw refuse("roi_exceeds_bounds");
  if (x2 <= x1 || y2 <= y1) throw refuse("roi_region_empty");
}

/** The network tells no classes apart, so the answer is the caller's own word, or `other`. */
function foundType({ type, typeLevel }: Job): string | undefined {
  if (typeLevel === "none") return undefined;
  const classes = ["person", "product", "animal", "car"];
  if (classes.includes(type)) return type;
  // Asked for in the singular, reported in the plural, and only from level 2 on.
  const finer: Readonly<Record<string, string>> = {
    graphic: "graphics",
    transportation: "transportation",
  };
  return (typeLevel === "1" ? undefined : finer[type]) ?? "other";
}
