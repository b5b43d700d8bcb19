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

/** The size stands in there; the reader goes through a hostile JPEG byte by byte, and must not do that for long. */
const headBytes = 128 * 1024;
/** Of a JPEG (ITU-T T.81, table B.1). */
const comment = 0xfffe;
const emptySegment = Uint8Array.of(0xff, 0xe0, 0, 2);
/** Of an honest file before its size: a profile of 16 MB takes 256. */
const mostSegments = 1_000;
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
  const kind = bytes.byteLength < leastBytes ? undefined : recognize(bytes);
  const size = kind && read(kind.reader, kind.reader === JPG ? jpegHeadOf(bytes) : headOf(bytes));
  if (size === undefined || !isSide(size.width) || !isSide(size.height)) return undefined;
  const { width, height, orientation = 1 } = size;
  return orientation >= firstSideways ? { width: height, height: width } : { width, height };
}

/** A copy of its own: the readers look past the end of a view, into whatever lies behind it in memory. */
function headOf(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.subarray(0, headBytes));
}

/** Profiles, previews and comments before the size may be megabytes: only what tells the orientation is kept of them. */
function jpegHeadOf(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // The reader wants some segment before the one with the size.
  const kept: Uint8Array[] = [bytes.subarray(0, 2), emptySegment];
  let at = 2;
  for (let count = 0; count < mostSegments && at + 4 <= view.byteLength; count += 1) {
    const marker = view.getUint16(at);
    if (!isApplication(marker) && marker !== comment) break;
    const end = at + 2 + view.getUint16(at + 2);
    if (hasAt(bytes, at + 4, "Exif\0\0") && kept.length === 2) kept.push(bytes.subarray(at, end));
    at = end;
  }
  return headOf(Buffer.concat([...kept, bytes.subarray(at, at + headBytes)]));
}

function isApplication(marker: number): boolean {
  return marker >= 0xffe0 && marker <= 0xffef;
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
