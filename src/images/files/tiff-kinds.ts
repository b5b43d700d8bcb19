import type { Unsupported } from "../refusal.ts";

/** Tags of the directory, TIFF 6.0 sections 8 and 15. */
export const tag = {
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
export interface TiffNumbers {
  readonly count: number;
  at(index: number): number;
}

export type TiffTags = ReadonlyMap<number, TiffNumbers>;

const apart = 2;
const jpeg = 7;
const fax = [2, 3, 4];

/** https://libtiff.gitlab.io/libtiff/functions/TIFFOpen.html knows more; the decoder here was built with these. */
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
/** Bits of a channel that come out right, by how colours are told. */
const bitsOf: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  1: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  5: [8, 16],
  [ycbcr]: [8],
};
/** Colours and one alpha: of more, nobody knows what they are. */
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

/** Numbers of a sample, TIFF 6.0 section 19; what says nothing of itself is a number without a sign. */
const formats: Readonly<Record<number, Unsupported["feature"]>> = {
  2: "signed",
  3: "floating",
  5: "complex",
  6: "complex",
};

/**
 * What would come out wrong or not at all: libvips takes 32 bits for 8, has no range for numbers with a sign, and knows
 * whole bytes only.
 */
export function unsupportedTiff(tags: TiffTags): Unsupported | undefined {
  const one = (name: keyof typeof tag, absent: number) => {
    const numbers = tags.get(tag[name]);
    return numbers === undefined || numbers.count === 0 ? absent : numbers.at(0);
  };
  const compression = one("compression", 1);
  if (!compressions.includes(compression)) {
    const value = compressionNames[compression] ?? `method ${compression}`;
    return { feature: "compression", value };
  }
  const format = formats[one("sampleFormat", 1)];
  if (format !== undefined) return { feature: format };
  const photometric = one("photometric", 1);
  const allowed = bitsOf[photometric];
  if (allowed === undefined || (photometric === ycbcr && compression !== jpeg)) {
    return { feature: "colors", value: colorNames[photometric] ?? `type ${photometric}` };
  }
  const bits = bitsOfChannels(tags.get(tag.bits));
  const [first = 1] = bits;
  if (bits.some((other) => other !== first) || !allowed.includes(first)) {
    return { feature: "bits", value: [...new Set(bits)].join("/") };
  }
  if (one("samples", 1) > (mostChannels[photometric] ?? 1)) {
    return { feature: "channels", value: String(one("samples", 1)) };
  }
  if (one("planes", 1) === apart && tags.has(tag.tileWidth) && one("samples", 1) > 1) {
    return { feature: "tiles" };
  }
  return undefined;
}

const maxChannels = 16;

function bitsOfChannels(numbers: TiffNumbers | undefined): readonly number[] {
  const count = Math.min(maxChannels, numbers?.count ?? 0);
  return Array.from({ length: count }, (_, i) => numbers?.at(i) ?? 1);
}
