import { pictureErrors } from "../picture-errors.ts";
import type { PictureDimensions } from "../size.ts";
import type { FitShape } from "../types.ts";

/** A place a picture has to fit. */
export interface FitPlace extends PictureDimensions {
  readonly shape: FitShape;
  readonly minWidth?: number;
  readonly minHeight?: number;
}

/** How a picture lies in its place. */
export interface FitLayout extends PictureDimensions {
  /** The picture inside the file; smaller than the file only where bars surround it. */
  readonly drawn: PictureDimensions;
  /** Whether parts of the picture are left out. */
  readonly isCropped: boolean;
}

/** With a shorter side nothing can be recognised, whatever the place requires. */
const smallestSide = 16;

/** Whole multiples of the ratio are preferred while they lose at most a fiftieth. */
const worthwhileSteps = 50;

/** A ratio that differs from the place's by this factor or more is refused for its shape, not for its size. */
const extreme = 8;

/**
 * Decides the size of the file and of the picture in it; never larger than the picture is.
 * @throws InputError `picture_too_small` or `picture_shape`
 */
export function layOutInPlace(source: PictureDimensions, place: FitPlace): FitLayout {
  const layout = layOutInFile(source, sizes[place.shape](source, place), place.shape);
  const min = minimum(place);
  const least = { width: smallestSide, height: smallestSide };
  if (holds(layout, min) && holds(layout.drawn, least)) return layout;
  const isExtreme = skew(source, place) >= extreme;
  if (isExtreme || holds(source, min)) throw pictureErrors.shape(source, min, place);
  throw pictureErrors.tooSmall(source, min);
}

/** The same with sides about `scale` times as long, but not below the place's minimum. */
export function shrinkLayout(
  layout: FitLayout,
  scale: number,
  source: PictureDimensions,
  place: FitPlace,
): FitLayout {
  const ratio = place.shape === "inside" ? source : place;
  const min = minimum(place);
  const step = chooseStep(ratio, min);
  const least = ceilTo(step, Math.max(min.width, (min.height * ratio.width) / ratio.height));
  const width = Math.min(layout.width, Math.max(least, floorTo(step, layout.width * scale)));
  if (width >= layout.width) return layout;
  return layOutInFile(source, sizeForWidth(width, ratio), place.shape);
}

/** The file's size: never larger than the picture needs, nor than the place. */
const sizes = {
  cover: (source, place) =>
    hasRatio(source, place) && holds(place, source)
      ? pick(source)
      : within(smaller(source, place), place),
  contain: (source, place) => (holds(place, source) ? around(source, place) : pick(place)),
  inside: (source, place) => (holds(place, source) ? pick(source) : scaledInto(source, place)),
} satisfies Record<
  FitShape,
  (source: PictureDimensions, place: PictureDimensions) => PictureDimensions
>;

/** Puts the picture into a file of that size. */
function layOutInFile(
  source: PictureDimensions,
  file: PictureDimensions,
  shape: FitShape,
): FitLayout {
  if (shape === "inside") return { ...file, drawn: file, isCropped: false };
  if (shape === "cover") return { ...file, drawn: file, isCropped: loses(source, file) };
  const whole = holds(file, source) ? pick(source) : snapToBox(scaledInto(source, file), file);
  return { ...file, drawn: whole, isCropped: false };
}

/** Whether at least one line of pixels is cut off when the picture covers the file. */
function loses(source: PictureDimensions, file: PictureDimensions): boolean {
  const scale = Math.max(file.width / source.width, file.height / source.height);
  return source.width * scale - file.width >= 1 || source.height * scale - file.height >= 1;
}

/** The smallest size of the place's ratio that contains the picture, so that no pixel is made up. */
function around(source: PictureDimensions, ratio: PictureDimensions): PictureDimensions {
  return {
    width: Math.max(source.width, Math.round((source.height * ratio.width) / ratio.height)),
    height: Math.max(source.height, Math.round((source.width * ratio.height) / ratio.width)),
  };
}

/**
 * The largest size of a ratio within a limit: of exactly that ratio when its steps are fine enough, else to the nearest pixel.
 */
function within(limit: PictureDimensions, ratio: PictureDimensions): PictureDimensions {
  const step = chooseStep(ratio, limit);
  const width = Math.min(limit.width, Math.floor((limit.height * ratio.width) / ratio.height));
  return sizeForWidth(Math.max(1, floorTo(step, width)), ratio);
}

function chooseStep(ratio: PictureDimensions, limit: PictureDimensions): number {
  const common = divisor(ratio.width, ratio.height);
  const [width, height] = [ratio.width / common, ratio.height / common];
  return Math.min(limit.width / width, limit.height / height) >= worthwhileSteps ? width : 1;
}

function sizeForWidth(width: number, ratio: PictureDimensions): PictureDimensions {
  return { width, height: Math.max(1, Math.round((width * ratio.height) / ratio.width)) };
}

function scaledInto(source: PictureDimensions, box: PictureDimensions): PictureDimensions {
  const scale = Math.min(box.width / source.width, box.height / source.height);
  const side = (length: number, most: number) =>
    Math.min(most, Math.max(1, Math.round(length * scale)));
  return { width: side(source.width, box.width), height: side(source.height, box.height) };
}

/** A bar of one pixel would look like a mistake. */
function snapToBox(drawn: PictureDimensions, box: PictureDimensions): PictureDimensions {
  const side = (length: number, full: number) => (full - length <= 1 ? full : length);
  return {
    width: side(drawn.width, box.width),
    height: side(drawn.height, box.height),
  };
}

/** A pixel of rounding is ignored. */
function hasRatio(source: PictureDimensions, ratio: PictureDimensions): boolean {
  return Math.abs((source.width * ratio.height) / ratio.width - source.height) < 1;
}

function skew(source: PictureDimensions, place: PictureDimensions): number {
  const against = (source.width * place.height) / (source.height * place.width);
  return Math.max(against, 1 / against);
}

function minimum({
  minWidth = smallestSide,
  minHeight = smallestSide,
}: FitPlace): PictureDimensions {
  return { width: minWidth, height: minHeight };
}

function holds(outer: PictureDimensions, inner: PictureDimensions): boolean {
  return outer.width >= inner.width && outer.height >= inner.height;
}

function smaller(a: PictureDimensions, b: PictureDimensions): PictureDimensions {
  return { width: Math.min(a.width, b.width), height: Math.min(a.height, b.height) };
}

function pick({ width, height }: PictureDimensions): PictureDimensions {
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
