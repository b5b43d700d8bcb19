import type { Sharp as Pipeline } from "sharp";
import type { PictureDimensions } from "../size.ts";
import { embedInJpeg, embedInPng, embedInWebp } from "./color-profile.ts";
import { endJpeg } from "./end-jpeg.ts";
import { openHeif } from "./heif.ts";
import { readJpeg, readJpegSize, stripJpeg } from "./jpeg.ts";
import type { ByteSpan, PictureStructure } from "./picture-structure.ts";
import { endPng, mayBeClearPng, readPng, readPngSize, stripPng } from "./png.ts";
import { openTiff } from "./tiff.ts";
import { endWebp, readWebp, readWebpSize, stripWebp } from "./webp.ts";

interface EncodeSettings {
  /** 1 to 100; a PNG has none. */
  readonly quality: number;
  /** Of a PNG, 0 to 9; 2 when absent. */
  readonly compressionLevel?: number;
}

/** What is known of a format that is sent and stored as it came, and written here. */
interface WritableFormat {
  /** Reads the structure of a file; undefined if it is damaged. */
  readonly read: (bytes: Buffer) => PictureStructure | undefined;
  /** Writes the end that a file lacks; undefined if pixels are missing, as far as that can be told without decoding them. */
  readonly end: (bytes: Buffer) => Buffer | undefined;
  /** The file without what neither pixels nor colours need. */
  readonly strip: (bytes: Buffer, extras: readonly ByteSpan[]) => Buffer;
  /** Puts a colour profile into a file that has none. */
  readonly embedProfile: (file: Buffer, profile: Buffer) => Buffer;
  readonly encode: (pipeline: Pipeline, settings: EncodeSettings) => Pipeline;
}

/** Everything about a format of pictures. */
interface PictureFormat {
  readonly mediaType: string;
  readonly extension: string;
  /** What its files begin with, read as Latin-1: `?` matches any byte. */
  readonly signatures?: readonly string[];
  /** The same for the ISO container that pictures and films share: https://mp4ra.org/registered-types/brands */
  readonly brands?: readonly string[];
  /** The decoder of libvips, and where it may be missing, how its files end. */
  readonly loader: string;
  readonly decodes?: string;
  /**
   * Most pixels that are decoded: a picture of that size is shrunk below the limit for remove.bg in about 2 s of one core
   * and less than a gibibyte. JPEGs are decoded row by row and shrink meanwhile.
   */
  readonly maxPixels: number;
  /** What decoding takes, measured, where it depends on the bytes as well: a flat picture costs by its pixels, a detailed one by its bytes. */
  readonly cost?: {
    readonly nsPerPixel: number;
    readonly nsPerByte: number;
    readonly maxNs: number;
  };
  /** What the decoder holds for each pixel, measured; JPEG, PNG and TIFF are decoded row by row. */
  readonly decodedBytes: number;
  /** Whether pixels are stored as they were drawn. Few TIFFs contain JPEGs. */
  readonly isLossless?: true;
  /** Decoding takes a second or more, so it is done once, and its memory is free when the picture is written. */
  readonly isSlow?: true;
  /** Reads the size near the start of a file; undefined if it does not say. */
  readonly readSize?: (bytes: Buffer) => PictureDimensions | undefined;
  /** Whether a picture may have transparency, by the start of its file; any may when absent. */
  readonly mayBeClear?: (head: Buffer) => boolean;
  /** Checks a file before its decoder sees it, and adds to what that reads. */
  readonly open?: (bytes: Buffer, found: string) => Partial<PictureStructure & { bytes: Buffer }>;
  /** Absent for formats that are always converted. */
  readonly writable?: WritableFormat;
}

/** One row for each format that is read. The first whose signature fits wins. */
export const pictureFormats = {
  jpeg: {
    mediaType: "image/jpeg",
    extension: "jpg",
    signatures: ["\xff\xd8\xff"],
    loader: "VipsForeignLoadJpeg",
    maxPixels: 268_435_456,
    decodedBytes: 1,
    readSize: readJpegSize,
    mayBeClear: () => false,
    writable: {
      read: readJpeg,
      end: endJpeg,
      strip: stripJpeg,
      embedProfile: embedInJpeg,
      encode: (pipeline, { quality }) =>
        pipeline.jpeg({ quality, chromaSubsampling: "4:2:0", optimiseCoding: false }),
    },
  },
  png: {
    mediaType: "image/png",
    extension: "png",
    signatures: ["\x89PNG\r\n\x1a\n"],
    loader: "VipsForeignLoadPng",
    maxPixels: 75_000_000,
    decodedBytes: 4,
    isLossless: true,
    readSize: readPngSize,
    mayBeClear: mayBeClearPng,
    writable: {
      read: readPng,
      end: endPng,
      strip: stripPng,
      embedProfile: embedInPng,
      // `effort` must never be set here: it turns the picture into 256 colours.
      encode: (pipeline, { compressionLevel = 2 }) =>
        pipeline.png({ compressionLevel, adaptiveFiltering: true }),
    },
  },
  webp: {
    mediaType: "image/webp",
    extension: "webp",
    signatures: ["RIFF????WEBP"],
    loader: "VipsForeignLoadWebp",
    maxPixels: 60_000_000,
    decodedBytes: 7,
    readSize: readWebpSize,
    writable: {
      read: readWebp,
      end: endWebp,
      strip: stripWebp,
      embedProfile: embedInWebp,
      // The two settings that matter: alphaQuality above 91 doubles the cost, and 90 is off by at most 1 of 255; effort 0
      // and 1 fail on large detailed pictures, 4 (sharp's default) takes three times as long.
      encode: (pipeline, { quality }) => pipeline.webp({ quality, effort: 2, alphaQuality: 90 }),
    },
  },
  gif: {
    mediaType: "image/gif",
    extension: "gif",
    signatures: ["GIF8"],
    loader: "VipsForeignLoadNsgif",
    maxPixels: 75_000_000,
    decodedBytes: 5,
    isLossless: true,
    /** https://www.w3.org/Graphics/GIF/spec-gif89a.txt, section 18 */
    readSize: (bytes) => ({ width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }),
  },
  avif: {
    mediaType: "image/avif",
    extension: "avif",
    brands: ["avif", "avis"],
    loader: "VipsForeignLoadHeif",
    maxPixels: 26_000_000,
    // With 24 megapixels, as phones have them, it may have up to 4.5 MB.
    cost: { nsPerPixel: 30, nsPerByte: 200, maxNs: 1_650_000_000 },
    decodedBytes: 18,
    isSlow: true,
    open: openHeif,
  },
  heic: {
    mediaType: "image/heic",
    extension: "heic",
    brands: ["heic", "heix", "heim", "hevc", "hevx"],
    loader: "VipsForeignLoadHeif",
    // It is patented, and comes only with a libvips of the system.
    decodes: ".heic",
    maxPixels: 50_000_000,
    decodedBytes: 18,
    isSlow: true,
    open: openHeif,
  },
  tiff: {
    mediaType: "image/tiff",
    extension: "tiff",
    signatures: ["II*\0", "MM\0*", "II+\0", "MM\0+"],
    loader: "VipsForeignLoadTiff",
    maxPixels: 75_000_000,
    decodedBytes: 4,
    isLossless: true,
    open: openTiff,
  },
} as const satisfies Record<string, PictureFormat>;

/** Formats that can be read, if the decoder on this machine supports them; of an animation, the first frame. */
export type InputFormat = keyof typeof pictureFormats;

/** Formats that remove.bg and YouTube take as they are. */
export type SentFormat = {
  [F in InputFormat]: (typeof pictureFormats)[F] extends { writable: WritableFormat } ? F : never;
}[InputFormat];

export function isInputFormat(format: string): format is InputFormat {
  return Object.hasOwn(pictureFormats, format);
}

export function isSentFormat(format: string): format is SentFormat {
  return isInputFormat(format) && "writable" in pictureFormats[format];
}

/** The row of a format, whichever it is. */
export function formatFacts(format: InputFormat): PictureFormat {
  return pictureFormats[format];
}
