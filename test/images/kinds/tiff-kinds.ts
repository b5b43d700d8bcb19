import { deflateSync } from "node:zlib";
import sharp, { type Sharp, type TiffOptions } from "sharp";
import { named, type PictureKind, read, refused } from "./kind.ts";
import { ramp, stepped } from "./png-kinds.ts";
import {
  bilevel,
  clear,
  clearColors,
  colored,
  colors,
  grey,
  greyShade,
  greys,
  height,
  isLight,
  raw,
  shade,
  turned,
  valuesOf,
  width,
} from "./scene.ts";
import { type TiffPlan, tiffOf } from "./tiff-writer.ts";

const rgb = valuesOf(3, shade);
const greyValues = valuesOf(1, greyShade);
const light = valuesOf(1, (x, y) => Number(isLight(x, y)));
const inverted = (values: readonly number[]) => values.map((value) => 1 - value);

const photometric = {
  white: 0,
  black: 1,
  rgb: 2,
  palette: 3,
  mask: 4,
  ink: 5,
  ycbcr: 6,
  lab: 8,
} as const;

const ofGrey = (bits: number): TiffPlan => ({
  bits,
  channels: 1,
  photometric: photometric.black,
  values: greyValues,
});
const ofRgb = (bits: number): TiffPlan => ({
  bits,
  channels: 3,
  photometric: photometric.rgb,
  values: rgb,
});
const ofLight: TiffPlan = { ...ofGrey(1), values: light };

const seen = { pixels: colors } as const;
const seenGrey = (bits: number) => ({ pixels: bits > 8 ? greys : stepped(bits), within: 4 });
const as = (value: number) => value;

/** The plan in both byte orders. */
function both(
  name: string,
  plan: TiffPlan,
  make: (name: string, write: () => Buffer) => PictureKind,
) {
  return (["II", "MM"] as const).map((order) =>
    make(`TIFF, ${name}, ${order}`, () => tiffOf({ ...plan, order })),
  );
}

const depths = [
  ...[1, 2, 4, 8, 16].flatMap((bits) => [
    ...both(`grey of ${bits} bits`, ofGrey(bits), (name, make) => read(name, make, seenGrey(bits))),
    ...both(
      `grey of ${bits} bits, white first`,
      { ...ofGrey(bits), photometric: photometric.white, values: inverted(greyValues) },
      (name, make) => read(name, make, { ...seenGrey(bits), within: 5 }),
    ),
  ]),
  ...[8, 16].flatMap((bits) =>
    both(`colours of ${bits} bits`, ofRgb(bits), (name, make) => read(name, make, seen)),
  ),
  ...[3, 6, 10, 12, 14, 24, 32, 48, 64].flatMap((bits) =>
    both(`grey of ${bits} bits`, ofGrey(bits), (name, make) => named(name, make, "bits")),
  ),
  ...[1, 2, 4, 10, 12, 14, 24, 32, 64].flatMap((bits) =>
    both(`colours of ${bits} bits`, ofRgb(bits), (name, make) => named(name, make, "bits")),
  ),
];

const numbers = [
  ...[8, 16, 32].flatMap((bits) => {
    const signed = {
      sampleFormat: 2,
      encode: (value: number) => Math.round(value * (2 ** bits - 1)) - 2 ** (bits - 1),
    };
    return [
      ...both(`signed grey of ${bits} bits`, { ...ofGrey(bits), ...signed }, (name, make) =>
        named(name, make, "signed"),
      ),
      ...both(`signed colours of ${bits} bits`, { ...ofRgb(bits), ...signed }, (name, make) =>
        named(name, make, "signed"),
      ),
    ];
  }),
  ...[16, 32, 64].flatMap((bits) => {
    const floating = { sampleFormat: 3, encode: as };
    return [
      ...both(
        `floating-point grey of ${bits} bits`,
        { ...ofGrey(bits), ...floating },
        (name, make) => named(name, make, "floating"),
      ),
      ...both(
        `floating-point colours of ${bits} bits`,
        { ...ofRgb(bits), ...floating },
        (name, make) => named(name, make, "floating"),
      ),
    ];
  }),
  ...both("complex numbers", { ...ofGrey(64), sampleFormat: 6 }, (name, make) =>
    named(name, make, "complex"),
  ),
  ...both(
    "numbers that say nothing of themselves",
    { ...ofRgb(8), sampleFormat: 4 },
    (name, make) => read(name, make, seen),
  ),
];

const layouts = [
  ["strips", { rowsPerStrip: 5 }],
  ["planes", { isPlanar: true }],
  ["planes in strips", { isPlanar: true, rowsPerStrip: 5 }],
  ["tiles", { tile: 16 }],
  ["large tiles", { tile: 64 }],
  ["offsets of 64 bits", { isBig: true }],
  ["offsets of 64 bits, tiles", { isBig: true, tile: 16 }],
] as const;

const layoutKinds = layouts.flatMap(([name, how]) =>
  [8, 16].flatMap((bits) =>
    both(`${name}, ${bits} bits`, { ...ofRgb(bits), ...how }, (title, make) =>
      read(title, make, seen),
    ),
  ),
);

function paletteOf(bits: number): TiffPlan {
  const count = 2 ** bits;
  const map = [0, 1, 2].flatMap((c) =>
    Array.from({ length: count }, (_, i) => Math.round((ramp(i / (count - 1))[c] ?? 0) * 65_535)),
  );
  return {
    bits,
    channels: 1,
    photometric: photometric.palette,
    values: greyValues,
    more: { 320: map },
  };
}

const ink = (channels: 4 | 5) =>
  valuesOf(channels, (x, y, c) => (c < 3 ? 1 - shade(x, y, c) : Number(c > 3)));
const ycbcr = valuesOf(3, (x, y, c) => {
  const [r, g, b] = [shade(x, y, 0), shade(x, y, 1), shade(x, y, 2)];
  const luma = 0.299 * r + 0.587 * g + 0.114 * b;
  return [luma, 0.5 + (b - luma) / 1.772, 0.5 + (r - luma) / 1.402][c] ?? 0;
});

const clearValues = (isWeighed: boolean) =>
  valuesOf(4, (x, y, c) => {
    const alpha = Number(x >= width / 2);
    return c < 3 ? shade(x, y, c) * (isWeighed ? alpha : 1) : alpha;
  });

const colorKinds = [
  ...[1, 2, 4, 8].map((bits) =>
    read(`TIFF, palette of ${bits} bits`, () => tiffOf(paletteOf(bits)), {
      pixels: stepped(bits, ramp),
      within: 6,
    }),
  ),
  // CMYK has no single correct colour; the decoder's own profile decides.
  ...[8, 16].map((bits) =>
    read(
      `TIFF, ink of ${bits} bits`,
      () => tiffOf({ bits, channels: 4, photometric: photometric.ink, values: ink(4) }),
      { ...seen, within: 26 },
    ),
  ),
  ...[8, 16].flatMap((bits) =>
    ([1, 2] as const).map((kind) =>
      read(
        `TIFF, alpha of kind ${kind}, ${bits} bits`,
        () =>
          tiffOf({
            bits,
            channels: 4,
            photometric: photometric.rgb,
            values: clearValues(kind === 1),
            more: { 338: [kind] },
          }),
        { pixels: clearColors },
      ),
    ),
  ),
  read(
    "TIFF, grey and alpha",
    () =>
      tiffOf({
        bits: 8,
        channels: 2,
        photometric: photometric.black,
        values: valuesOf(2, (x, y, c) => (c === 0 ? greyShade(x, y) : 1)),
        more: { 338: [2] },
      }),
    { pixels: greys },
  ),
  named(
    "TIFF, a channel more than colours and alpha",
    () =>
      tiffOf({
        bits: 8,
        channels: 5,
        photometric: photometric.rgb,
        values: valuesOf(5, (x, y, c) => (c < 3 ? shade(x, y, c) : 1)),
        more: { 338: [2, 0] },
      }),
    "channels",
  ),
  named(
    "TIFF, colours of 5 and 6 bits",
    () => tiffOf({ ...ofRgb(8), more: { 258: [5, 6, 5] } }),
    "bits",
  ),
  named("TIFF, mask", () => tiffOf({ ...ofLight, photometric: photometric.mask }), "colors"),
  ...[8, 16].map((bits) =>
    named(
      `TIFF, CIELab of ${bits} bits`,
      () => tiffOf({ ...ofRgb(bits), photometric: photometric.lab }),
      "colors",
    ),
  ),
  ...(
    [
      ["ICCLab", 9],
      ["ITULab", 10],
      ["LinearRaw", 34_892],
    ] as const
  ).map(([name, value]) =>
    named(`TIFF, ${name}`, () => tiffOf({ ...ofRgb(8), photometric: value }), "colors"),
  ),
  named("TIFF, filter of a camera", () => tiffOf({ ...ofGrey(8), photometric: 32_803 }), "colors"),
  named(
    "TIFF, YCbCr as it is",
    () =>
      tiffOf({ ...ofRgb(8), photometric: photometric.ycbcr, values: ycbcr, more: { 530: [1, 1] } }),
    "colors",
  ),
];

/** PackBits with literal runs of up to 128 bytes. */
function packBits(part: Buffer): Buffer {
  const runs: Buffer[] = [];
  for (let at = 0; at < part.length; at += 128) {
    const run = part.subarray(at, at + 128);
    runs.push(Buffer.from([run.length - 1]), run);
  }
  return Buffer.concat(runs);
}

/**
 * LZW with the most significant bit first that restarts before codes need more than nine bits: TIFF 6.0, section 13.
 */
function lzw(part: Buffer): Buffer {
  const codes = [...part].flatMap((byte, i) => (i % 200 === 0 ? [256, byte] : [byte]));
  codes.push(257);
  const packed = Buffer.alloc(Math.ceil((codes.length * 9) / 8));
  for (const [i, code] of codes.entries()) {
    for (let bit = 0; bit < 9; bit++) {
      const at = i * 9 + bit;
      if ((code >> (8 - bit)) & 1) packed[at >> 3] = (packed[at >> 3] ?? 0) | (0x80 >> (at & 7));
    }
  }
  return packed;
}

/** The differences between bytes along a row. */
function differences(part: Buffer): Buffer {
  const row = width * 3;
  return Buffer.from(part.map((value, i) => value - (i % row < 3 ? 0 : (part[i - 3] ?? 0))));
}

const written = (options: TiffOptions) => () =>
  colored()
    .tiff({ quality: 95, ...options })
    .toBuffer();

const compressions = [
  ["LZW", 5, lzw],
  ["Deflate", 8, deflateSync],
  ["Deflate of old", 32_946, deflateSync],
  ["PackBits", 32_773, packBits],
] as const;

const unknown = [
  6, 32_766, 32_771, 32_809, 32_895, 32_908, 32_909, 34_661, 34_676, 34_677, 34_712, 34_887, 34_925,
  50_000, 50_002, 65_000,
];

const compressionKinds = [
  ...compressions.flatMap(([name, compression, pack]) => [
    read(`TIFF, ${name}`, () => tiffOf({ ...ofRgb(8), compression, pack }), seen),
    read(
      `TIFF, ${name} in tiles`,
      () => tiffOf({ ...ofRgb(16), compression, pack, tile: 16 }),
      seen,
    ),
    read(
      `TIFF, ${name} of differences`,
      () =>
        tiffOf({
          ...ofRgb(8),
          compression,
          pack: (part) => pack(differences(part)),
          more: { 317: [2] },
        }),
      compression === 32_773 ? { pixels: differencesSeen(), within: 8 } : seen,
    ),
  ]),
  ...(["none", "lzw", "deflate", "packbits", "jpeg", "webp"] as const).flatMap((compression) => [
    read(`TIFF, ${compression}, as our encoder writes it`, written({ compression }), seen),
    read(
      `TIFF, ${compression} in tiles, as our encoder writes it`,
      written({ compression, tile: true, tileWidth: 16, tileHeight: 16 }),
      seen,
    ),
    read(
      `TIFF, ${compression} in sizes, as our encoder writes it`,
      written({ compression, tile: true, tileWidth: 16, tileHeight: 16, pyramid: true }),
      seen,
    ),
  ]),
  ...([true, false] as const).map((miniswhite) =>
    read(
      `TIFF, fax, as our encoder writes it${miniswhite ? ", white first" : ""}`,
      () =>
        grey()
          .threshold(128)
          .tiff({ compression: "ccittfax4", bitdepth: 1, miniswhite })
          .toBuffer(),
      { pixels: bilevel, within: 6 },
    ),
  ),
  ...unknown.map((compression) =>
    named(
      `TIFF, compression ${compression}`,
      () => tiffOf({ ...ofRgb(8), compression }),
      "compression",
    ),
  ),
  ...[5, 7, 8, 50_001].map((compression) =>
    refused(
      `TIFF, compression ${compression} in name only`,
      () => tiffOf({ ...ofRgb(8), compression }),
      "picture_unreadable",
    ),
  ),
];

/** For compressions without differencing, the decoder shows the differences themselves. */
function differencesSeen(): Buffer {
  return differences(colors);
}

export const tiffKinds: readonly PictureKind[] = [
  ...depths,
  ...numbers,
  ...layoutKinds,
  ...colorKinds,
  ...compressionKinds,
  named(
    "TIFF, tiles with each colour apart",
    () => tiffOf({ ...ofRgb(8), tile: 16, isPlanar: true }),
    "tiles",
  ),
  read("TIFF, lowest bit first", () => tiffOf({ ...ofLight, isReversed: true }), {
    pixels: bilevel,
    within: 5,
  }),
  read("TIFF, one bit in tiles", () => tiffOf({ ...ofLight, tile: 16 }), {
    pixels: bilevel,
    within: 5,
  }),
  read("TIFF, no length of its only strip", withoutLengths, seen),
  read("TIFF, several pages", () => pages().tiff({ compression: "lzw" }).toBuffer(), {
    pixels: colors.subarray(0, colors.length / 2),
    height: height / 2,
  }),
  ...[1, 2, 3, 4, 5, 6, 7, 8].map((orientation) =>
    read(
      `TIFF on its side, orientation ${orientation}`,
      () => tiffOf({ ...ofRgb(8), more: { 274: [orientation] } }),
      turned(orientation),
    ),
  ),
  read(
    "TIFF, clear, as our encoder writes it",
    () => clear().tiff({ compression: "lzw" }).toBuffer(),
    {
      pixels: clearColors,
    },
  ),
  refused("TIFF, half of it", () => halved(), "picture_truncated"),
];

/** Two pages: the upper half, then the lower one. */
function pages(): Sharp {
  return sharp(colors, { raw: { ...raw, pageHeight: height / 2 } });
}

function withoutLengths(): Buffer {
  const tiff = tiffOf(ofRgb(8));
  const at = tiff.indexOf(Buffer.from([0x17, 1, 4, 0]));
  tiff.writeUInt16LE(65_001, at);
  return tiff;
}

function halved(): Buffer {
  const tiff = tiffOf(ofRgb(8));
  const at = tiff.indexOf(Buffer.from([0x17, 1, 4, 0]));
  tiff.writeUInt32LE(tiff.length, at + 8);
  return tiff;
}
