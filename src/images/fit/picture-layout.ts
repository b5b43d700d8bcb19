import { InputError } from "../../errors.ts";
import { type PictureDimensions, scaledBy } from "../size.ts";
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
  const { width, height } = source;
  const facts = { width, height, minWidth: min.width, minHeight: min.height };
  if (isExtreme || holds(source, min)) {
    throw new InputError(`${width}x${height} pixels leave too little of the place's shape`, {
      code: "picture_shape",
      facts: { ...facts, placeWidth: place.width, placeHeight: place.height },
    });
  }
  throw new InputError(`${width}x${height} pixels, ${min.width}x${min.height} needed`, {
    code: "picture_too_small",
    facts,
  });
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
  const shrunk = Math.floor((layout.width * scale) / step) * step;
  const width = Math.min(layout.width, Math.max(least, shrunk));
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
      // The largest size of the place's ratio: exactly, if the ratio's steps are fine enough, else to the nearest pixel.
      const most = { width: Math.min(width, place.width), height: Math.min(height, place.height) };
      const widest = Math.min(most.width, Math.floor((most.height * place.width) / place.height));
      const step = chooseStep(place, most);
      return sizeForWidth(Math.max(1, Math.floor(widest / step) * step), place);
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
  if (shape === "cover") {
    const scale = Math.max(file.width / source.width, file.height / source.height);
    // Whether at least one line of pixels is cut off.
    const isCropped =
      source.width * scale - file.width >= 1 || source.height * scale - file.height >= 1;
    return { ...file, drawn: file, isCropped };
  }
  if (holds(file, source)) return { ...file, drawn: pick(source), isCropped: false };
  const { width, height } = scaledInto(source, file);
  // A bar of one pixel would look like a mistake.
  const drawn = {
    width: file.width - width <= 1 ? file.width : width,
    height: file.height - height <= 1 ? file.height : height,
  };
  return { ...file, drawn, isCropped: false };
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
  const { width, height } = scaledBy(source, scale);
  return { width: Math.min(box.width, width), height: Math.min(box.height, height) };
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
