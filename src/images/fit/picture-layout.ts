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
  const layout = layOutInFile(source, fileSize(source, place), place.shape);
  const min = minimum(place);
  const least = { width: smallestSide, height: smallestSide };
  if (holds(layout, min) && holds(layout.drawn, least)) return layout;
  const skew = (source.width * place.height) / (source.height * place.width);
  const isExtreme = Math.max(skew, 1 / skew) >= extreme;
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
  const narrowest = Math.max(min.width, (min.height * ratio.width) / ratio.height);
  const least = Math.ceil(narrowest / step) * step;
  const width = Math.min(layout.width, Math.max(least, floorTo(step, layout.width * scale)));
  if (width >= layout.width) return layout;
  return layOutInFile(source, sizeForWidth(width, ratio), place.shape);
}

/** The file's size: never larger than the picture needs, nor than the place. */
function fileSize(source: PictureDimensions, place: FitPlace): PictureDimensions {
  const { width, height } = source;
  const isSmall = holds(place, source);
  switch (place.shape) {
    case "inside":
      return isSmall ? pick(source) : scaledInto(source, place);
    case "contain": {
      if (!isSmall) return pick(place);
      // The smallest size of the place's ratio that contains the picture, so that no pixel is made up.
      const across = Math.round((height * place.width) / place.height);
      const down = Math.round((width * place.height) / place.width);
      return { width: Math.max(width, across), height: Math.max(height, down) };
    }
    case "cover": {
      // A pixel of rounding is ignored.
      const hasRatio = Math.abs((width * place.height) / place.width - height) < 1;
      if (hasRatio && isSmall) return pick(source);
      const most = { width: Math.min(width, place.width), height: Math.min(height, place.height) };
      return within(most, place);
    }
  }
}

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
  return { width: side(drawn.width, box.width), height: side(drawn.height, box.height) };
}

function minimum({ minWidth = smallestSide, minHeight = smallestSide }: FitPlace) {
  return { width: minWidth, height: minHeight };
}

function holds(outer: PictureDimensions, inner: PictureDimensions): boolean {
  return outer.width >= inner.width && outer.height >= inner.height;
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
