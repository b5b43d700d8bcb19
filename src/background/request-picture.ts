import { type PictureHead, readPictureHead } from "../images/index.ts";
import { isHttpUrl } from "./parameters.ts";
import { createRequestError } from "./request-errors.ts";
import type { RemoveBackgroundRequest, RequestBodyKind } from "./types.ts";

export type PictureSize = NonNullable<PictureHead["size"]>;

/** How a request is sent. */
export interface BodyOptions {
  readonly body: RequestBodyKind;
  /** Most bytes of a picture. */
  readonly maxBytes: number;
}

/** docs/services/removebg.md#input-limits */
const maxPixels = 50_000_000;

/** The one picture of a request, checked. */
export type RequestPicture = { readonly url: string } | PictureFile;

export interface PictureFile extends PictureHead {
  readonly bytes: Uint8Array;
  /** It came as base64, and is sent as base64 even in a body that can hold files. */
  readonly isBase64?: true;
}

type SourceFields = Pick<RemoveBackgroundRequest, "image" | "imageFileB64" | "imageUrl">;

/** @throws InputError when there is not exactly one source, or remove.bg would not take it. */
export function readRequestPicture(
  { image, imageFileB64, imageUrl }: SourceFields,
  maxBytes: number,
): RequestPicture {
  // An empty field counts as absent: docs/services/removebg.md#request
  const pictures = [image, imageFileB64, imageUrl].filter((one) => one !== undefined && one !== "");
  const count = pictures.length;
  if (count === 0) throw createRequestError("missing_source", "no source for a picture");
  if (count > 1) throw createRequestError("multiple_sources", `${count} sources for one picture`);
  if (image !== undefined) return readPictureFile(image, maxBytes);
  if (imageFileB64)
    return { ...readPictureFile(decodeBase64(imageFileB64), maxBytes), isBase64: true };
  if (imageUrl !== undefined && isHttpUrl(imageUrl)) return { url: imageUrl };
  throw createRequestError("invalid_image_url", "the image address is no web address");
}

/** @throws InputError for bytes that remove.bg would not take. */
export function readPictureFile(bytes: Uint8Array, maxBytes: number): PictureFile {
  if (bytes.byteLength === 0) throw createRequestError("empty_image", "the image has no bytes");
  if (bytes.byteLength > maxBytes) {
    const facts = { size: roundUpMegabytes(bytes.byteLength), most: roundUpMegabytes(maxBytes) };
    throw createRequestError(
      "file_too_large",
      `${bytes.byteLength} bytes are over ${maxBytes}`,
      facts,
    );
  }
  const head = readPictureHead(bytes);
  if (head === undefined)
    throw createRequestError("invalid_file_type", "the bytes are no JPG, PNG or WebP");
  const { size } = head;
  if (size !== undefined && size.width * size.height > maxPixels) {
    throw createRequestError(
      "resolution_too_high",
      `${size.width} x ${size.height} is over 50 megapixels`,
    );
  }
  return { ...head, bytes };
}

/** With or without the prefix of a `data:` address, in the usual or the URL-safe alphabet. */
function decodeBase64(text: string): Buffer {
  const plain = text.replace(/^\s*data:[^,]*,/, "").replace(/\s+/g, "");
  if (/^[\w+/-]*={0,2}$/.test(plain)) return Buffer.from(plain, "base64");
  throw createRequestError("invalid_file_type", "the image is no base64");
}

/** A size just over the limit must not be shown as the limit. */
function roundUpMegabytes(bytes: number): number {
  return Math.ceil(bytes / 1e4) / 100;
}
