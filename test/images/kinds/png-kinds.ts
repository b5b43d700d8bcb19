import { chunk } from "../bad-files.ts";
import { withSums } from "../mutations.ts";
import { named, type PictureKind, read, refused } from "./kind.ts";
import { type PngPlan, pngOf } from "./png-writer.ts";
import {
  bytesOf,
  clearColors,
  clearGreys,
  colored,
  colors,
  grey,
  greyShade,
  greys,
  height,
  shade,
  valuesOf,
  width,
} from "./scene.ts";

const whole = (bits: number, values: readonly number[]) =>
  values.map((value) => Math.round(value * (2 ** bits - 1)));

/** The scene's grey, reduced to this many bits. */
export function stepped(
  bits: number,
  shades: (v: number) => readonly number[] = (v) => [v, v, v],
): Buffer {
  const most = 2 ** bits - 1;
  const at = (x: number, y: number, c: number) =>
    shades(Math.round(greyShade(x, y) * most) / most)[c] ?? 0;
  return bytesOf(valuesOf(3, at));
}

const rgb = (bits: number) => whole(bits, valuesOf(3, shade));
const greyValues = (bits: number) => whole(bits, valuesOf(1, greyShade));
const isHalf = (x: number) => x >= width / 2;

/** How red, green and blue change along a palette. */
export const ramp = (v: number) => [v, v * v, 1 - v] as const;

function palette(bits: number): Buffer {
  const count = 2 ** bits;
  return Buffer.from(
    Array.from({ length: count }, (_, i) =>
      ramp(i / (count - 1)).map((v) => Math.round(v * 255)),
    ).flat(),
  );
}

const seen = { pixels: colors, within: 0.6 } as const;
const clearSeen = { pixels: clearColors, within: 0.6 } as const;
const clearGrey = { pixels: clearGreys, within: 0.6 } as const;

const greyKinds = [1, 2, 4, 8, 16].flatMap((bits) =>
  [false, true].map((isInterlaced) =>
    read(
      `PNG, grey of ${bits} bits${isInterlaced ? ", interlaced" : ""}`,
      () => pngOf({ bits, colorType: 0, values: greyValues(bits), isInterlaced }),
      { pixels: bits > 8 ? greys : stepped(bits), within: 0.6 },
    ),
  ),
);

const paletteKinds = [1, 2, 4, 8].flatMap((bits) =>
  [false, true].map((isInterlaced) =>
    read(
      `PNG, palette of ${bits} bits${isInterlaced ? ", interlaced" : ""}`,
      () =>
        pngOf({
          bits,
          colorType: 3,
          values: greyValues(bits),
          isInterlaced,
          chunks: [["PLTE", palette(bits)]],
        }),
      { pixels: stepped(bits, ramp), within: 0.6 },
    ),
  ),
);

const colorKinds = ([8, 16] as const).flatMap((bits) =>
  [false, true].flatMap((isInterlaced) => {
    const kind = (
      name: string,
      plan: Omit<PngPlan, "bits">,
      expected: Parameters<typeof read>[2],
    ) =>
      read(
        `PNG, ${name} of ${bits} bits${isInterlaced ? ", interlaced" : ""}`,
        () => pngOf({ ...plan, bits, isInterlaced }),
        expected,
      );
    const clear = (channels: number, at: (x: number, y: number, c: number) => number) =>
      whole(
        bits,
        valuesOf(channels, (x, y, c) => (c < channels - 1 ? at(x, y, c) : Number(isHalf(x)))),
      );
    return [
      kind("colours", { colorType: 2, values: rgb(bits) }, seen),
      kind("colours and alpha", { colorType: 6, values: clear(4, shade) }, clearSeen),
      kind("grey and alpha", { colorType: 4, values: clear(2, greyShade) }, clearGrey),
    ];
  }),
);

const colored8 = { bits: 8, colorType: 2, values: rgb(8) } as const;

function withChunk(name: string, data: Buffer) {
  return () => pngOf({ ...colored8, chunks: [[name, data]] });
}

const short = (...values: readonly number[]) => {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [i, value] of values.entries()) bytes.writeUInt16BE(value, i * 2);
  return bytes;
};

const long = (...values: readonly number[]) =>
  Buffer.concat(values.map((value) => short(value >>> 16, value & 0xffff)));

const ancillary = [
  ["gAMA", long(45_455)],
  ["cHRM", long(31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000)],
  ["sRGB", Buffer.from([0])],
  ["sBIT", Buffer.from([8, 8, 8])],
  ["bKGD", short(0, 0, 0)],
  ["pHYs", Buffer.concat([long(2_835, 2_835), Buffer.from([1])])],
  ["tIME", Buffer.from([7, 234, 1, 1, 0, 0, 0])],
  ["tEXt", Buffer.from("Author\0CANARY")],
  ["zTXt", Buffer.from("Author\0\0CANARY")],
  ["iTXt", Buffer.from("Author\0\0\0\0\0CANARY")],
  ["eXIf", Buffer.from("II*\0\x08\0\0\0\0\0\0\0\0\0", "latin1")],
  ["hIST", short(1)],
  ["vpAg", Buffer.alloc(9)],
  ["xxXx", Buffer.from("of another program")],
] as const;

/** A PNG in which the checksum of one chunk is wrong. */
function withWrongSum(name: string): Buffer {
  const png = pngOf({ ...colored8, chunks: [["tEXt", Buffer.from("Author\0CANARY")]] });
  const at = png.indexOf(name) - 4;
  const sum = at + 8 + png.readUInt32BE(at);
  png.writeUInt32BE((png.readUInt32BE(sum) ^ 1) >>> 0, sum);
  return png;
}

function headed(change: (header: Buffer) => void): Buffer {
  const png = pngOf(colored8);
  const header = Buffer.from(png.subarray(16, 29));
  change(header);
  const again = Buffer.concat([png.subarray(0, 8), chunk("IHDR", header), png.subarray(33)]);
  return withSums(again);
}

const control = (number: number) =>
  Buffer.concat([long(number, width, height, 0, 0), short(1, 10), Buffer.from([0, 0])]);

/** Samples encoded with another gamma than sRGB's, which the file states. */
const gammas = [0.35, 0.55, 1].flatMap((gamma) =>
  [8, 16].flatMap((bits) =>
    ([2, 0] as const).map((colorType) => {
      const shades = colorType === 2 ? valuesOf(3, shade) : valuesOf(1, greyShade);
      const values = whole(
        bits,
        shades.map((value) => value ** (2.2 * gamma)),
      );
      return read(
        `PNG, ${colorType === 2 ? "colours" : "grey"} of gamma ${gamma}, ${bits} bits`,
        () => pngOf({ bits, colorType, values, chunks: [["gAMA", long(gamma * 100_000)]] }),
        { pixels: colorType === 2 ? colors : greys, within: 2 },
      );
    }),
  ),
);

export const pngKinds: readonly PictureKind[] = [
  ...gammas,
  ...greyKinds,
  ...paletteKinds,
  ...colorKinds,
  ...[0, 1, 2, 3, 4].map((filter) =>
    read(`PNG, filter ${filter}`, () => pngOf({ ...colored8, filter }), seen),
  ),
  read("PNG, pixels in pieces of one byte", () => pngOf({ ...colored8, pieceBytes: 1 }), seen),
  ...ancillary.map(([name, data]) => read(`PNG, ${name}`, withChunk(name, data), seen)),
  read(
    "PNG, text behind its pixels",
    () => pngOf({ ...colored8, behind: [["tEXt", Buffer.from("Author\0CANARY")]] }),
    seen,
  ),
  read("PNG, with a profile", () => colored().png().withIccProfile("p3").toBuffer(), {
    pixels: colors,
    within: 2,
  }),
  read(
    "PNG, one colour of its own that is clear",
    () => {
      const values = valuesOf(3, (x, y, c) => (isHalf(x) ? shade(x, y, c) : 1));
      return pngOf({
        bits: 8,
        colorType: 2,
        values: whole(8, values),
        chunks: [["tRNS", short(255, 255, 255)]],
      });
    },
    {
      pixels: bytesOf(
        valuesOf(4, (x, y, c) => (isHalf(x) ? (c < 3 ? shade(x, y, c) : 1) : Number(c < 3))),
      ),
      within: 0.6,
    },
  ),
  read(
    "PNG, palette that is clear in parts",
    () => {
      const values = valuesOf(1, (x) => Number(isHalf(x)));
      const chunks = [
        ["PLTE", Buffer.from([255, 0, 0, 0, 0, 255])],
        ["tRNS", Buffer.from([0])],
      ] as const;
      return pngOf({ bits: 1, colorType: 3, values, chunks });
    },
    {
      pixels: bytesOf(
        valuesOf(
          4,
          (x, _, c) => [Number(!isHalf(x)), 0, Number(isHalf(x)), Number(isHalf(x))][c] ?? 0,
        ),
      ),
      within: 0.6,
    },
  ),
  read(
    "PNG, animated",
    () =>
      pngOf({
        ...colored8,
        chunks: [
          ["acTL", long(2, 0)],
          ["fcTL", control(0)],
        ],
        behind: [
          ["fcTL", control(1)],
          ["fdAT", long(2)],
        ],
      }),
    seen,
  ),
  read(
    "PNG, bytes behind its end",
    () => Buffer.concat([pngOf(colored8), Buffer.from("CANARY")]),
    seen,
  ),
  read("PNG, as our encoder writes a grey one", () => grey().png().toBuffer(), {
    pixels: greys,
    within: 0.6,
  }),
  read("PNG, wrong sum of a text", () => withWrongSum("tEXt"), seen),
  refused("PNG, wrong sum of its pixels", () => withWrongSum("IDAT"), "picture_unreadable"),
  refused("PNG, wrong sum of its header", () => withWrongSum("IHDR"), "picture_unreadable"),
  refused("PNG, 3 bits", () => headed((header) => header.writeUInt8(3, 8)), "picture_unreadable"),
  refused(
    "PNG, colours of type 5",
    () => headed((header) => header.writeUInt8(5, 9)),
    "picture_unreadable",
  ),
  refused(
    "PNG, no pixels",
    () => headed((header) => header.writeUInt32BE(0, 0)),
    "picture_unreadable",
  ),
  read("PNG, no end", () => pngOf(colored8).subarray(0, -12), seen),
  named(
    "PNG, as Xcode writes it",
    () => {
      const png = pngOf(colored8);
      return Buffer.concat([png.subarray(0, 8), chunk("CgBI", Buffer.alloc(4)), png.subarray(8)]);
    },
    "coding",
  ),
];
