import { refusal } from "../refusal.ts";
import type { Size } from "../size.ts";
import type { FitShape } from "../types.ts";

/** A place a picture has to fit. */
export interface Place extends Size {
  readonly shape: FitShape;
  readonly minWidth?: number;
  readonly minHeight?: number;
}

/** How a picture lies in its place. */
export interface Layout extends Size {
  /** The picture inside the file; smaller than the file only where bars surround it. */
  readonly drawn: Size;
  /** Whether parts of the picture are left out. */
  readonly isCropped: boolean;
}

/** Below this there is nothing to see, whatever the place asks for. */
const smallestSide = 16;

/** Whole multiples of the ratio are preferred while they lose at most a fiftieth. */
const worthwhileSteps = 50;

/** Sides that differ from the place's by this factor or more are called a matter of shape, not of size. */
const extreme = 8;

/**
 * Decides the size of the file and of the picture in it; never larger than the picture is.
 * @throws InputError `picture_too_small` or `picture_shape`
 */
export function layOut(source: Size, place: Place): Layout {
  const layout = drawn(source, sizes[place.shape](source, place), place.shape);
  const min = minimum(place);
  const least = { width: smallestSide, height: smallestSide };
  if (holds(layout, min) && holds(layout.drawn, least)) return layout;
  const isExtreme = skew(source, place) >= extreme;
  if (isExtreme || holds(source, min)) throw refusal.shape(source, min, place);
  throw refusal.tooSmall(source, min);
}

/** The same with sides about `scale` times as long, but not below the place's minimum. */
export function shrink(layout: Layout, scale: number, source: Size, place: Place): Layout {
  const ratio = place.shape === "inside" ? source : place;
  const min = minimum(place);
  const step = stepOf(ratio, min);
  const least = ceilTo(step, Math.max(min.width, (min.height * ratio.width) / ratio.height));
  const width = Math.min(layout.width, Math.max(least, floorTo(step, layout.width * scale)));
  if (width >= layout.width) return layout;
  return drawn(source, sized(width, ratio), place.shape);
}

/** The file's size: never larger than the picture needs, nor than the place. */
const sizes = {
  cover: (source, place) =>
    hasRatio(source, place) && holds(place, source)
      ? pick(source)
      : within(smallerOf(source, place), place),
  contain: (source, place) => (holds(place, source) ? around(source, place) : pick(place)),
  inside: (source, place) => (holds(place, source) ? pick(source) : scaledInto(source, place)),
} satisfies Record<FitShape, (source: Size, place: Size) => Size>;

/** Puts the picture into a file of that size. */
function drawn(source: Size, file: Size, shape: FitShape): Layout {
  if (shape === "inside") return { ...file, drawn: file, isCropped: false };
  if (shape === "cover") return { ...file, drawn: file, isCropped: loses(source, file) };
  const whole = holds(file, source) ? pick(source) : snapped(scaledInto(source, file), file);
  return { ...file, drawn: whole, isCropped: false };
}

/** Whether a line or more falls off when the picture covers the file. */
function loses(source: Size, file: Size): boolean {
  const scale = Math.max(file.width / source.width, file.height / source.height);
  return source.width * scale - file.width >= 1 || source.height * scale - file.height >= 1;
}

/** The smallest size of the place's ratio that holds the picture: no pixel is made up. */
function around(source: Size, ratio: Size): Size {
  return {
    width: Math.max(source.width, Math.round((source.height * ratio.width) / ratio.height)),
    height: Math.max(source.height, Math.round((source.width * ratio.height) / ratio.width)),
  };
}

/** The largest size of a ratio within a limit: of exactly that ratio when its steps are fine enough, else to a pixel. */
function within(limit: Size, ratio: Size): Size {
  const step = stepOf(ratio, limit);
  const width = Math.min(limit.width, Math.floor((limit.height * ratio.width) / ratio.height));
  return sized(Math.max(1, floorTo(step, width)), ratio);
}

function stepOf(ratio: Size, limit: Size): number {
  const common = divisor(ratio.width, ratio.height);
  const [width, height] = [ratio.width / common, ratio.height / common];
  return Math.min(limit.width / width, limit.height / height) >= worthwhileSteps ? width : 1;
}

function sized(width: number, ratio: Size): Size {
  return { width, height: Math.max(1, Math.round((width * ratio.height) / ratio.width)) };
}

function scaledInto(source: Size, box: Size): Size {
  const scale = Math.min(box.width / source.width, box.height / source.height);
  const side = (length: number, most: number) =>
    Math.min(most, Math.max(1, Math.round(length * scale)));
  return { width: side(source.width, box.width), height: side(source.height, box.height) };
}

/** A bar of one pixel would look like a mistake. */
function snapped(drawn: Size, box: Size): Size {
  const side = (length: number, full: number) => (full - length <= 1 ? full : length);
  return { width: side(drawn.width, box.width), height: side(drawn.height, box.height) };
}

/** A pixel of rounding is forgiven, as where the picture is going. */
function hasRatio(source: Size, ratio: Size): boolean {
  return Math.abs((source.width * ratio.height) / ratio.width - source.height) < 1;
}

function skew(source: Size, place: Size): number {
  const against = (source.width * place.height) / (source.height * place.width);
  return Math.max(against, 1 / against);
}

function minimum({ minWidth = smallestSide, minHeight = smallestSide }: Place): Size {
  return { width: minWidth, height: minHeight };
}

function holds(outer: Size, inner: Size): boolean {
  return outer.width >= inner.width && outer.height >= inner.height;
}

function smallerOf(a: Size, b: Size): Size {
  return { width: Math.min(a.width, b.width), height: Math.min(a.height, b.height) };
}

function pick({ width, height }: Size): Size {
  return { width, height };
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}

function floorTo(step: number, value: number): number {
  return Math.floor(value / step) * step;
}

function ceilTo(step: number, value: number): number {
  return Math.ceil(value / step) * step;
}
