import { resizePixels } from "../../../images/index.ts";
import type { CutoutJob } from "../request/job.ts";
import { type FourLengths, toPixels } from "../request/values.ts";
import { type CutPicture, crop, type PixelBox, type PixelSize } from "./cutout.ts";
import { shadowBounds } from "./shadow.ts";

/** A crop margin is at most half the subject or 500 px a side. */
const maxMarginPx = 500;

/** The result's canvas, and where the subject is on it. */
interface CutoutLayout extends PixelSize {
  readonly subject: PixelBox;
}

/**
 * Places the subject. `crop` first: the canvas becomes the subject, with its shadow and its margin. Then
 * `scale`: the subject grows or shrinks until it takes this share of the canvas in the direction that is tighter.
 * Then `position`: shares of the room that is left beside and above it, so that 0 % and 100 % touch the edges.
 */
export function layOutSubject(
  found: PixelBox,
  picture: PixelSize,
  job: Pick<CutoutJob, "crop" | "margin" | "scale" | "position" | "shadow"> & {
    /** Largest canvas; a margin may make it larger than the picture was. */
    readonly maxPixels: number;
  },
): CutoutLayout {
  const whole = { left: 0, top: 0, width: picture.width, height: picture.height };
  const frame = job.crop ? withMargin(found, job) : whole;
  const shrink = Math.min(1, Math.sqrt(job.maxPixels / (frame.width * frame.height)));
  const canvas = { width: within(frame.width * shrink), height: within(frame.height * shrink) };
  const fits = Math.min(canvas.width / found.width, canvas.height / found.height);
  const factor = job.scale === undefined ? shrink : job.scale * fits;
  const size = {
    width: Math.min(canvas.width, Math.max(1, Math.round(found.width * factor))),
    height: Math.min(canvas.height, Math.max(1, Math.round(found.height * factor))),
  };
  const room = { x: canvas.width - size.width, y: canvas.height - size.height };
  const [x, y] = job.position ?? [];
  if (x !== undefined && y !== undefined) {
    const subject = { left: Math.round(room.x * x), top: Math.round(room.y * y), ...size };
    return { ...canvas, subject };
  }
  const center = {
    x: (found.left - frame.left + found.width / 2) * shrink,
    y: (found.top - frame.top + found.height / 2) * shrink,
  };
  const left = clamp(Math.round(center.x - size.width / 2), room.x);
  const top = clamp(Math.round(center.y - size.height / 2), room.y);
  return { ...canvas, subject: { left, top, ...size } };
}

/** The subject with its shadow, and the margin round both; it may reach beyond the picture. */
function withMargin(
  found: PixelBox,
  { margin, shadow }: { margin: FourLengths; shadow: CutoutJob["shadow"] },
): PixelBox {
  const side = (index: 0 | 1 | 2 | 3, whole: number): number =>
    Math.round(Math.min(toPixels(margin[index], whole), whole / 2, maxMarginPx));
  const [top, bottom] = [side(0, found.height), side(2, found.height)];
  const [right, left] = [side(1, found.width), side(3, found.width)];
  const box = shadow === undefined ? found : around(found, shadowBounds(found, shadow.kind));
  return {
    left: box.left - left,
    top: box.top - top,
    width: box.width + left + right,
    height: box.height + top + bottom,
  };
}

/** Smallest box round two. */
function around(a: PixelBox, b: PixelBox): PixelBox {
  const [left, top] = [Math.min(a.left, b.left), Math.min(a.top, b.top)];
  const right = Math.max(a.left + a.width, b.left + b.width);
  const bottom = Math.max(a.top + a.height, b.top + b.height);
  return { left, top, width: right - left, height: bottom - top };
}

/** Moves the subject to its place. A scaled subject moves alone; otherwise what is around it moves along. */
export async function arrange(
  cutout: CutPicture,
  found: PixelBox,
  layout: CutoutLayout,
): Promise<CutPicture> {
  const { subject, width, height } = layout;
  if (subject.width !== found.width || subject.height !== found.height) {
    const alone = await scale(crop(cutout, found), subject);
    return crop(alone, { left: -subject.left, top: -subject.top, width, height });
  }
  const moved = { left: found.left - subject.left, top: found.top - subject.top, width, height };
  const stays = moved.left === 0 && moved.top === 0;
  if (stays && width === cutout.width && height === cutout.height) return cutout;
  return crop(cutout, moved);
}

async function scale(
  { color, alpha, ...from }: CutPicture,
  { width, height }: PixelSize,
): Promise<CutPicture> {
  const to = { width, height, kernel: "cubic" } as const;
  const [colors, matte] = await Promise.all([
    resizePixels({ ...from, data: color, channels: 3 }, to),
    resizePixels({ ...from, data: alpha, channels: 1 }, to),
  ]);
  return { width, height, color: colors.data, alpha: matte.data };
}

function within(side: number): number {
  return Math.max(1, Math.floor(side));
}

function clamp(at: number, room: number): number {
  return Math.max(0, Math.min(room, at));
}
