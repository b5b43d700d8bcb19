/** What the first directory says of the pixels and where they lie. https://www.itu.int/itudoc/itu-t/com16/tiff-fx/docs/tiff6.pdf */
export interface TiffLayout {
  readonly width: number;
  readonly height: number;
  /** Samples of the whole picture, and of the largest strip or tile, which decoders read in one go. */
  readonly rawBytes: number;
  readonly partBytes: number;
  /** Whether each strip or tile lies within the file. */
  readonly isComplete: boolean;
}

/** Tags of the directory, TIFF 6.0 sections 8 and 15. */
const tag = {
  width: 256,
  height: 257,
  bits: 258,
  stripOffsets: 273,
  samples: 277,
  rowsPerStrip: 278,
  stripBytes: 279,
  planes: 284,
  tileWidth: 322,
  tileHeight: 323,
  tileOffsets: 324,
  tileBytes: 325,
} as const;

/** Types that a number of a directory may have, with their bytes: 8, 16 and 32 bits without a sign. */
const widths: Readonly<Record<number, 1 | 2 | 4>> = { 1: 1, 3: 2, 4: 4 };

const headBytes = 8;
const entryBytes = 12;
const apart = 2;

/** Reads numbers of a tag by their place. */
interface Numbers {
  readonly count: number;
  at(index: number): number;
}

/** Undefined when it makes no sense, as do files of 64-bit offsets: none of them is as small as what is taken in. */
export function readTiff(bytes: Buffer): TiffLayout | undefined {
  const isLittle = bytes.toString("latin1", 0, 2) === "II";
  const read = (at: number, width: 1 | 2 | 4) =>
    isLittle ? bytes.readUIntLE(at, width) : bytes.readUIntBE(at, width);
  if (bytes.length < headBytes || read(2, 2) !== 42) return undefined;
  const tags = readDirectory(bytes, read);
  return tags && layoutOf(tags, bytes.length);
}

type Read = (at: number, width: 1 | 2 | 4) => number;

function readDirectory(bytes: Buffer, read: Read): ReadonlyMap<number, Numbers> | undefined {
  const start = read(4, 4);
  if (start < headBytes || start + 2 > bytes.length) return undefined;
  const tags = new Map<number, Numbers>();
  for (let left = read(start, 2), at = start + 2; left > 0; left -= 1, at += entryBytes) {
    if (at + entryBytes > bytes.length) return undefined;
    const width = widths[read(at + 2, 2)];
    const count = read(at + 4, 4);
    if (width === undefined) continue;
    const from = width * count <= 4 ? at + 8 : read(at + 8, 4);
    if (from + width * count > bytes.length) continue;
    tags.set(read(at, 2), { count, at: (index) => read(from + width * index, width) });
  }
  return tags;
}

function layoutOf(tags: ReadonlyMap<number, Numbers>, fileBytes: number): TiffLayout | undefined {
  const one = (name: keyof typeof tag, absent = 0) => {
    const numbers = tags.get(tag[name]);
    return numbers === undefined || numbers.count === 0 ? absent : numbers.at(0);
  };
  const [width, height] = [one("width"), one("height")];
  const [bits, samples] = [one("bits", 1), one("samples", 1)];
  const isTiled = tags.has(tag.tileWidth);
  const partWidth = isTiled ? one("tileWidth") : width;
  const partHeight = isTiled ? one("tileHeight") : Math.min(height, one("rowsPerStrip", height));
  if (width * height * bits * samples * partWidth * partHeight === 0) return undefined;
  const isApart = one("planes", 1) === apart;
  const bytesOf = (pixels: number, planes: number) => Math.ceil((pixels * bits * planes) / 8);
  const parts = Math.ceil(width / partWidth) * Math.ceil(height / partHeight);
  const offsets = tags.get(isTiled ? tag.tileOffsets : tag.stripOffsets);
  const lengths = tags.get(isTiled ? tag.tileBytes : tag.stripBytes);
  return {
    width,
    height,
    rawBytes: bytesOf(width * height, samples),
    partBytes: bytesOf(partWidth * partHeight, isApart ? 1 : samples),
    isComplete: lieWithin(fileBytes, { offsets, lengths, parts: parts * (isApart ? samples : 1) }),
  };
}

interface Places {
  readonly offsets: Numbers | undefined;
  readonly lengths: Numbers | undefined;
  readonly parts: number;
}

/** No part takes less than a byte of the file, so that there are never more than it has. */
function lieWithin(fileBytes: number, { offsets, lengths, parts }: Places): boolean {
  if (offsets === undefined || lengths === undefined) return false;
  if (parts > Math.min(offsets.count, lengths.count, fileBytes)) return false;
  for (let part = 0; part < parts; part += 1) {
    const length = lengths.at(part);
    if (length === 0 || offsets.at(part) + length > fileBytes) return false;
  }
  return true;
}
