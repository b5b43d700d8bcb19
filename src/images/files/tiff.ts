import { pictureErrors, type UnsupportedFeature } from "../picture-errors.ts";
import type { PictureDimensions } from "../size.ts";

/**
 * What the first directory says about the pixels and where they lie.
 * https://www.itu.int/itudoc/itu-t/com16/tiff-fx/docs/tiff6.pdf
 */
interface TiffLayout extends PictureDimensions {
  /** Samples of the whole picture, and of the largest strip or tile, which decoders read in one go. */
  readonly rawBytes: number;
  readonly partBytes: number;
  /** Whether each strip or tile lies within the file. */
  readonly isComplete: boolean;
  readonly unsupported: UnsupportedFeature | undefined;
}

/** Bytes of the number types that a directory may use: 8, 16, 32 and 64 bits without a sign. */
const widths: Readonly<Record<number, NumberWidth>> = { 1: 1, 3: 2, 4: 4, 13: 4, 16: 8 };

type NumberWidth = 1 | 2 | 4 | 8;
type ReadNumber = (at: number, width: NumberWidth) => number;

/** Where things lie in the two kinds of file: https://libtiff.gitlab.io/libtiff/specification/bigtiff.html */
interface TiffKind {
  readonly headBytes: number;
  /** Of an offset, and of the number of values. */
  readonly offsetWidth: 4 | 8;
  readonly countWidth: 2 | 8;
}

const kinds: Readonly<Record<number, TiffKind>> = {
  42: { headBytes: 8, offsetWidth: 4, countWidth: 2 },
  43: { headBytes: 16, offsetWidth: 8, countWidth: 8 },
};

const separatePlanes = 2;
const uncompressed = 1;

/** A decoder reserves memory for what a TIFF claims before it reads a byte of it. */
export function openTiff(bytes: Buffer) {
  const layout = readTiff(bytes);
  if (layout === undefined) throw pictureErrors.unreadable("tiff");
  const { unsupported, isComplete, rawBytes, partBytes } = layout;
  // Files with an unsupported compression may keep their pixels elsewhere.
  const isElsewhere = unsupported?.feature === "compression";
  if (!isComplete && !isElsewhere) throw pictureErrors.truncated("tiff", bytes.length);
  if (unsupported) throw pictureErrors.unsupported("tiff", unsupported);
  return { rawBytes, partBytes };
}

/** Undefined if the file is damaged. */
export function readTiff(bytes: Buffer): TiffLayout | undefined {
  const isLittle = bytes.toString("latin1", 0, 2) === "II";
  const read: ReadNumber = (at, width) => {
    if (width !== 8) return isLittle ? bytes.readUIntLE(at, width) : bytes.readUIntBE(at, width);
    return Number(isLittle ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at));
  };
  const kind = bytes.length < 4 ? undefined : kinds[read(2, 2)];
  if (kind === undefined || bytes.length < kind.headBytes) return undefined;
  const tags = readDirectory(bytes, read, kind);
  return tags && readLayout(tags, bytes.length);
}

function readDirectory(bytes: Buffer, read: ReadNumber, kind: TiffKind): TiffTags | undefined {
  const { headBytes, offsetWidth, countWidth } = kind;
  const entryBytes = 4 + 2 * offsetWidth;
  const start = read(headBytes - offsetWidth, offsetWidth);
  if (start < headBytes || start + countWidth > bytes.length) return undefined;
  const tags = new Map<number, { count: number; at(index: number): number }>();
  let at = start + countWidth;
  for (let left = read(start, countWidth); left > 0; left -= 1, at += entryBytes) {
    if (at + entryBytes > bytes.length) return undefined;
    const width = widths[read(at + 2, 2)];
    const count = read(at + 4, offsetWidth);
    if (width === undefined) continue;
    const value = at + 4 + offsetWidth;
    const from = width * count <= offsetWidth ? value : read(value, offsetWidth);
    if (from + width * count > bytes.length) continue;
    tags.set(read(at, 2), { count, at: (index) => read(from + width * index, width) });
  }
  return tags;
}

function readLayout(tags: TiffTags, fileBytes: number): TiffLayout | undefined {
  const one = createNumberReader(tags);
  const [width, height] = [one("width"), one("height")];
  const [bits, samples] = [one("bits", 1), one("samples", 1)];
  const isTiled = tags.has(tag.tileWidth);
  const partWidth = isTiled ? one("tileWidth") : width;
  const partHeight = isTiled ? one("tileHeight") : Math.min(height, one("rowsPerStrip", height));
  if (width * height * bits * samples * partWidth * partHeight === 0) return undefined;
  const isApart = one("planes", 1) === separatePlanes;
  const countBytes = (pixels: number, planes: number) => Math.ceil((pixels * bits * planes) / 8);
  const parts = Math.ceil(width / partWidth) * Math.ceil(height / partHeight);
  const offsets = tags.get(isTiled ? tag.tileOffsets : tag.stripOffsets);
  const partBytes = countBytes(partWidth * partHeight, isApart ? 1 : samples);
  const lengths =
    tags.get(isTiled ? tag.tileBytes : tag.stripBytes) ??
    // Old programs left the lengths out if there is only one strip, which is as long as its pixels.
    (parts === 1 && one("compression", 1) === uncompressed
      ? { count: isApart ? samples : 1, at: () => partBytes }
      : undefined);
  return {
    width,
    height,
    rawBytes: countBytes(width * height, samples),
    partBytes,
    isComplete: lieWithin(fileBytes, { offsets, lengths, parts: parts * (isApart ? samples : 1) }),
    unsupported: unsupportedTiff(tags),
  };
}

function createNumberReader(tags: TiffTags) {
  return (name: keyof typeof tag, absent = 0) => {
    const numbers = tags.get(tag[name]);
    return numbers === undefined || numbers.count === 0 ? absent : numbers.at(0);
  };
}

interface PartTable {
  readonly offsets: TiffNumbers | undefined;
  readonly lengths: TiffNumbers | undefined;
  readonly parts: number;
}

/** Each part takes a byte of the file or more, so that there can't be more parts than bytes. */
function lieWithin(fileBytes: number, { offsets, lengths, parts }: PartTable): boolean {
  if (offsets === undefined || lengths === undefined) return false;
  if (parts > Math.min(offsets.count, lengths.count, fileBytes)) return false;
  for (let part = 0; part < parts; part += 1) {
    const length = lengths.at(part);
    if (length === 0 || offsets.at(part) + length > fileBytes) return false;
  }
  return true;
}

/** Tags of the directory, TIFF 6.0 sections 8 and 15. */
const tag = {
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  photometric: 262,
  stripOffsets: 273,
  samples: 277,
  rowsPerStrip: 278,
  stripBytes: 279,
  planes: 284,
  tileWidth: 322,
  tileHeight: 323,
  tileOffsets: 324,
  tileBytes: 325,
  sampleFormat: 339,
} as const;

/** Numbers of a tag, by their place. */
interface TiffNumbers {
  readonly count: number;
  at(index: number): number;
}

type TiffTags = ReadonlyMap<number, TiffNumbers>;

const jpeg = 7;
const fax = [2, 3, 4];

/** libtiff has more (https://libtiff.gitlab.io/libtiff/functions/TIFFOpen.html); the decoder here was built with these. */
const compressions = [1, ...fax, 5, jpeg, 8, 32946, 32773, 50001];
const compressionNames: Readonly<Record<number, string>> = {
  6: "old-style JPEG",
  32766: "NeXT RLE",
  32771: "CCITT RLE/W",
  32809: "ThunderScan",
  32909: "PixarLog",
  34661: "JBIG",
  34676: "LogLuv",
  34677: "LogLuv 24",
  34712: "JPEG 2000",
  34887: "LERC",
  34925: "LZMA",
  50000: "Zstandard",
  50002: "JPEG XL",
};

const ycbcr = 6;
/** Bits of a channel that are decoded correctly, by colour model. */
const allowedBits: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  1: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  5: [8, 16],
  [ycbcr]: [8],
};
/** Colours and one alpha. The meaning of further channels is unknown. */
const mostChannels: Readonly<Record<number, number>> = { 0: 2, 1: 2, 2: 4, 3: 2, 5: 5, [ycbcr]: 3 };
const colorNames: Readonly<Record<number, string>> = {
  4: "mask",
  [ycbcr]: "YCbCr",
  8: "CIELab",
  9: "ICCLab",
  10: "ITULab",
  32803: "CFA",
  32844: "LogL",
  32845: "LogLuv",
  34892: "LinearRaw",
};

/** Kinds of samples, TIFF 6.0 section 19; when it is not stated, they are unsigned numbers. */
const formats: Readonly<Record<number, UnsupportedFeature["feature"]>> = {
  2: "signed",
  3: "floating",
  5: "complex",
  6: "complex",
};

/** Most channels whose bits are read. */
const maxChannels = 16;

/**
 * Features that would be decoded wrongly or not at all: libvips reads 32 bits as 8, has no range for signed numbers, and
 * supports whole bytes only.
 */
function unsupportedTiff(tags: TiffTags): UnsupportedFeature | undefined {
  const one = createNumberReader(tags);
  const compression = one("compression", 1);
  if (!compressions.includes(compression)) {
    const value = compressionNames[compression] ?? `method ${compression}`;
    return { feature: "compression", value };
  }
  const format = formats[one("sampleFormat", 1)];
  if (format !== undefined) return { feature: format };
  const photometric = one("photometric", 1);
  const allowed = allowedBits[photometric];
  if (allowed === undefined || (photometric === ycbcr && compression !== jpeg)) {
    return { feature: "colors", value: colorNames[photometric] ?? `type ${photometric}` };
  }
  const stated = tags.get(tag.bits);
  const channels = Math.min(maxChannels, stated?.count ?? 0);
  const bits = Array.from({ length: channels }, (_, i) => stated?.at(i) ?? 1);
  const [first = 1] = bits;
  if (bits.some((other) => other !== first) || !allowed.includes(first)) {
    return { feature: "bits", value: [...new Set(bits)].join("/") };
  }
  if (one("samples", 1) > (mostChannels[photometric] ?? 1)) {
    return { feature: "channels", value: String(one("samples", 1)) };
  }
  if (one("planes", 1) === separatePlanes && tags.has(tag.tileWidth) && one("samples", 1) > 1) {
    return { feature: "tiles" };
  }
  return undefined;
}
