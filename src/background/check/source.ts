import { type PictureKind, type PictureSize, readPictureKind } from "../picture.ts";
import { refusal } from "../refusal.ts";
import type { BodyKind, RemoveBackgroundRequest } from "../types.ts";

/** How a request will travel. */
export interface Sending {
  readonly body: BodyKind;
  /** Most bytes of a picture. */
  readonly maxBytes: number;
}

/** Most pixels of an input (facts, limits). */
const maxPixels = 50_000_000;

/** The one picture of a request, checked. */
export type Source = { readonly url: string } | PictureFile;

export interface PictureFile extends PictureKind {
  readonly bytes: Uint8Array;
  /** Undefined when its head does not tell. */
  readonly size: PictureSize | undefined;
  /** It came as base64, and goes on as that whatever the body could hold. */
  readonly isBase64?: true;
}

type Given = Pick<RemoveBackgroundRequest, "image" | "imageFileB64" | "imageUrl">;

/** @throws InputError when there is not exactly one source, or the service would not take it. */
export function readSource({ image, imageFileB64, imageUrl }: Given, maxBytes: number): Source {
  // An empty field counts as absent (facts, param_rules).
  const given = [image, imageFileB64, imageUrl].filter((one) => one !== undefined && one !== "");
  const count = given.length;
  if (count === 0) throw refusal("missing_source", "no source for a picture");
  if (count > 1) throw refusal("multiple_sources", `${count} sources for one picture`);
  if (image !== undefined) return readPicture(image, maxBytes);
  if (imageFileB64) return { ...readPicture(decoded(imageFileB64), maxBytes), isBase64: true };
  if (imageUrl !== undefined && isWebAddress(imageUrl)) return { url: imageUrl };
  throw refusal("invalid_image_url", "the image address is no web address");
}

/** @throws InputError for bytes that the service would not take. */
export function readPicture(bytes: Uint8Array, maxBytes: number): PictureFile {
  if (bytes.byteLength === 0) throw refusal("empty_image", "the image has no bytes");
  if (bytes.byteLength > maxBytes) throw tooLarge(bytes.byteLength, maxBytes);
  const kind = readPictureKind(bytes);
  if (kind === undefined) throw refusal("invalid_file_type", "the bytes are no JPG, PNG or WebP");
  const { size } = kind;
  if (size !== undefined && size.width * size.height > maxPixels) {
    throw refusal("resolution_too_high", `${size.width} x ${size.height} is over 50 megapixels`);
  }
  return { ...kind, bytes };
}

export function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** With or without the prefix of a data address, in either alphabet. */
function decoded(text: string): Buffer {
  const plain = text.replace(/^\s*data:[^,]*,/, "").replace(/\s+/g, "");
  if (/^[\w+/-]*={0,2}$/.test(plain)) return Buffer.from(plain, "base64");
  throw refusal("invalid_file_type", "the image is no base64");
}

function tooLarge(bytes: number, maxBytes: number) {
  return refusal("file_too_large", `${bytes} bytes are over ${maxBytes}`, {
    size: megabytes(bytes),
    most: megabytes(maxBytes),
  });
}

/** Just over the limit must not read as the limit. */
function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1e4) / 100;
}

/** For the log: short, whatever it was. */
export function shown(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 80) ?? typeof value;
}
