import {
  isTransparent,
  type ParsedLength,
  parseLength,
  type RequestFields,
  shortenForLog,
  writeParameters,
} from "./parameters.ts";
import { createRequestError } from "./request-errors.ts";
import {
  type BodyOptions,
  type PictureFile,
  type PictureSize,
  type RequestPicture,
  readPictureFile,
  readRequestPicture,
} from "./request-picture.ts";
import { maxPngResultPixels, maxResultMegapixels, type RemoveBackgroundRequest } from "./types.ts";

interface CheckedRequest {
  readonly fields: RequestFields;
  readonly source: RequestPicture;
  readonly background: PictureFile | undefined;
  /** Of the input; undefined when neither the request nor the bytes say it. */
  readonly megapixels: number | undefined;
}

/** Finds whatever is wrong with a request before anything is sent. @throws InputError with remove.bg's codes. */
export function checkRequest(
  request: RemoveBackgroundRequest,
  { body, maxBytes }: BodyOptions,
): CheckedRequest {
  const source = readRequestPicture(request, maxBytes);
  const size = "url" in source ? undefined : source.size;
  const fields = writeParameters(request);
  if (request.roi) checkRegion(request.roi, size);
  if (request.addShadow === true && request.shadowType !== undefined) {
    throw createRequestError("multiple_shadow_params", "add_shadow together with shadow_type");
  }
  const background = readBackground(request, { body, maxBytes });
  const megapixels = request.megapixels ?? (size && (size.width * size.height) / 1e6);
  checkResult(request, size);
  return { fields, source, background, megapixels };
}

/** Whether the region lies in the picture and has an area. */
function checkRegion(roi: string, size: PictureSize | undefined): void {
  const [left, top, right, bottom] = roi.trim().split(/\s+/).map(parseLength);
  if (!left || !top || !right || !bottom) return;
  const described = `roi ${shortenForLog(roi)} of ${shortenForLog(size)}`;
  const isInside =
    [left, right].every((edge) => isWithin(edge, size?.width)) &&
    [top, bottom].every((edge) => isWithin(edge, size?.height));
  if (!isInside) throw createRequestError("roi_exceeds_bounds", described);
  if (isBefore(left, right, size?.width) && isBefore(top, bottom, size?.height)) return;
  throw createRequestError("roi_region_empty", described);
}

function isWithin({ value, unit }: ParsedLength, side = Number.POSITIVE_INFINITY): boolean {
  return value >= 0 && value <= (unit === "%" ? 100 : side);
}

/** If the units differ and the length of the side is unknown, only remove.bg can check it, so it passes here. */
function isBefore(from: ParsedLength, to: ParsedLength, side: number | undefined): boolean {
  if (from.unit === to.unit) return from.value < to.value;
  const toPixels = ({ value, unit }: ParsedLength, whole: number) =>
    unit === "%" ? (value / 100) * whole : value;
  return side === undefined || toPixels(from, side) < toPixels(to, side);
}

/** Refuses a format that can't hold what was asked for. */
function checkResult(
  { format, size = "auto", bgColor }: RemoveBackgroundRequest,
  input: PictureSize | undefined,
): void {
  if (format === "jpg" && bgColor !== undefined && isTransparent(bgColor)) {
    throw createRequestError("jpg_transparent", "a transparent background for a JPG");
  }
  if (format !== "png" || input === undefined) return;
  const pixels = maxResultMegapixels[size] * 1e6;
  const factor = Math.min(1, Math.sqrt(pixels / (input.width * input.height)));
  const [width, height] = [Math.round(input.width * factor), Math.round(input.height * factor)];
  if (width * height <= maxPngResultPixels) return;
  const facts = { maxPixels: maxPngResultPixels, width, height };
  throw createRequestError(
    "png_too_large",
    `a PNG of ${width} x ${height} is over 10 megapixels`,
    facts,
  );
}

/** There is one background at most; returns its picture if it is one. */
function readBackground(
  { bgColor, bgImageUrl, bgImageFile }: RemoveBackgroundRequest,
  { body, maxBytes }: BodyOptions,
): PictureFile | undefined {
  const backgrounds = [bgColor, bgImageUrl, bgImageFile].filter(
    (one) => one !== undefined && one !== "",
  );
  if (backgrounds.length > 1)
    throw createRequestError("multiple_bg_sources", `${backgrounds.length} backgrounds`);
  if (bgImageFile === undefined) return undefined;
  if (body !== "multipart")
    throw createRequestError("bg_image_file_body", `a ${body} body holds no file`);
  return readPictureFile(bgImageFile, maxBytes);
}
