import { JPG } from "image-size/types/jpg";
import { PNG } from "image-size/types/png";
import { WEBP } from "image-size/types/webp";

export interface PictureKind {
  readonly type: "image/png" | "image/jpeg" | "image/webp";
  readonly extension: "png" | "jpg" | "webp";
}

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

interface Reader {
  validate(bytes: Uint8Array): boolean;
  calculate(bytes: Uint8Array): PictureSize & { readonly orientation?: number };
}

/** First bytes of what the service reads; the declared type and the name can lie. */
const kinds: readonly (PictureKind & {
  readonly starts: readonly (readonly [at: number, marker: string])[];
  readonly reader: Reader;
})[] = [
  { type: "image/png", extension: "png", starts: [[0, "\x89PNG"]], reader: PNG },
  { type: "image/jpeg", extension: "jpg", starts: [[0, "\xff\xd8\xff"]], reader: JPG },
  {
    type: "image/webp",
    extension: "webp",
    starts: [
      [0, "RIFF"],
      [8, "WEBP"],
    ],
    reader: WEBP,
  },
];

/** The size stands near the start; the reader goes through a hostile JPEG byte by byte, and must not do that for long. */
const headBytes = 128 * 1024;
/** A WebP tells its size in its first 30 bytes; of fewer its reader makes a size all the same. */
const leastBytes = 30;

/** Orientations from here on lie on their side (EXIF 2.32, 4.6.4 A). */
const firstSideways = 5;

/** What the bytes are; undefined when the service reads no such pictures. */
export function pictureKindOf(bytes: Uint8Array): PictureKind | undefined {
  const kind = recognize(bytes);
  return kind && { type: kind.type, extension: kind.extension };
}

/** Pixels as the picture is seen; undefined when its head does not tell, which is for the service to judge. */
export function pictureSizeOf(bytes: Uint8Array): PictureSize | undefined {
  const reader = bytes.byteLength < leastBytes ? undefined : recognize(bytes)?.reader;
  // A copy of its own: the readers look past the end of a view, into whatever lies behind it in memory.
  const size = reader && read(reader, new Uint8Array(bytes.subarray(0, headBytes)));
  if (size === undefined || !isSide(size.width) || !isSide(size.height)) return undefined;
  const { width, height, orientation = 1 } = size;
  return orientation >= firstSideways ? { width: height, height: width } : { width, height };
}

function recognize(bytes: Uint8Array) {
  return kinds.find(({ starts }) => starts.every(([at, marker]) => hasAt(bytes, at, marker)));
}

function read(reader: Reader, head: Uint8Array): ReturnType<Reader["calculate"]> | undefined {
  try {
    return reader.validate(head) ? reader.calculate(head) : undefined;
  } catch {
    // Cut or damaged: the reader throws whatever it stumbled over.
    return undefined;
  }
}

function isSide(pixels: number): boolean {
  return Number.isSafeInteger(pixels) && pixels > 0;
}

function hasAt(bytes: Uint8Array, at: number, marker: string): boolean {
  return Buffer.from(bytes.subarray(at, at + marker.length)).toString("latin1") === marker;
}
