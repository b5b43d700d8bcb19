import { noise } from "../pictures.ts";
import { named, type PictureKind, read, refused } from "./kind.ts";
import { colored, colors, grey, greys, height, turned, width } from "./scene.ts";

const frameMarker = Buffer.from([0xff, 0xc0]);

/** Our encoder writes no JFIF segment; others do. */
const jfif = Buffer.from("JFIF\0\x01\x02\0\0\x01\0\x01\0\0", "latin1");

async function plain(): Promise<Buffer> {
  const jpeg = await bare();
  return inserted(jpeg, 2, segment(0xe0, jfif));
}

const bare = () => colored().jpeg({ quality: 95, chromaSubsampling: "4:4:4" }).toBuffer();

/** Inserts bytes into a file at a position. */
function inserted(bytes: Buffer, at: number, ...more: readonly Buffer[]): Buffer {
  return Buffer.concat([bytes.subarray(0, at), ...more, bytes.subarray(at)]);
}

function segment(marker: number, body: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
}

/** Inserts bytes after the first segment with this marker; `0xe0` is JFIF's. */
async function behind(marker: number, ...more: readonly Buffer[]): Promise<Buffer> {
  const jpeg = await plain();
  const at = jpeg.indexOf(Buffer.from([0xff, marker]));
  return inserted(jpeg, at + 2 + jpeg.readUInt16BE(at + 2), ...more);
}

async function framed(change: (jpeg: Buffer, frame: number) => void): Promise<Buffer> {
  const jpeg = await plain();
  change(jpeg, jpeg.indexOf(frameMarker));
  return jpeg;
}

const xmp = segment(0xe1, Buffer.from("http://ns.adobe.com/xap/1.0/\0<x:xmpmeta/>"));
const stray = Buffer.from([4, 6, 0, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);

/** Probability estimates, and the next state after a less and after a more probable decision: ITU-T T.81, table D.3. */
const states = [
  [0x5a1d, 1, 1],
  [0x2586, 14, 2],
  [0x1114, 16, 3],
  [0x080b, 18, 4],
  [0x03d8, 20, 5],
  [0x01da, 23, 6],
  [0x00e5, 25, 7],
] as const;

/** Codes two kinds of decisions in turn, `blocks` times: no change of brightness, and nothing more in the block. */
function codedDecisions(blocks: number): Buffer {
  let [low, range, shifts] = [0n, 0x10000, 0];
  const kinds = [
    { state: 0, likely: 0 },
    { state: 0, likely: 0 },
  ];
  const code = (kind: { state: number; likely: number }, decision: number) => {
    const [estimate, afterLess, afterMore] = states[kind.state] ?? states[0];
    const isLikely = decision === kind.likely;
    range -= estimate;
    if (isLikely && range >= 0x8000) return;
    if (isLikely === range < estimate) {
      low += BigInt(range);
      range = estimate;
    }
    // Only in the first state can the more probable decision change.
    if (!isLikely && kind.state === 0) kind.likely = decision;
    kind.state = isLikely ? afterMore : afterLess;
    for (; range < 0x8000; range *= 2, shifts += 1) low *= 2n;
  };
  for (let block = 0; block < blocks; block++) {
    for (const [decision, kind] of kinds.entries()) code(kind, decision);
  }
  const bits = 16 + shifts;
  const digits = (low << BigInt((8 - (bits % 8)) % 8)).toString(16);
  const bytes = Buffer.from(digits.padStart(2 * Math.ceil(bits / 8), "0"), "hex");
  return Buffer.from([...bytes].flatMap((byte) => (byte === 0xff ? [byte, 0] : [byte])));
}

/** A plain grey JPEG with arithmetic coding, which no encoder here writes. */
function arithmetic(): Buffer {
  const size = Buffer.from([8, 0, height, 0, width, 1, 1, 0x11, 0]);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, Buffer.concat([Buffer.from([0]), Buffer.alloc(64, 1)])),
    segment(0xc9, size),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    codedDecisions((width * height) / 64),
    Buffer.from([0xff, 0xd9]),
  ]);
}

const flat = Buffer.alloc(width * height * 3, 128);
const seen = { pixels: colors } as const;

const orientations = [1, 2, 3, 4, 5, 6, 7, 8].map((orientation) =>
  read(
    `JPEG on its side, orientation ${orientation}`,
    () => colored().jpeg({ quality: 95 }).withMetadata({ orientation }).toBuffer(),
    turned(orientation),
  ),
);

export const jpegKinds: readonly PictureKind[] = [
  read("JPEG, baseline", plain, seen),
  read(
    "JPEG, progressive",
    () => colored().jpeg({ quality: 95, progressive: true }).toBuffer(),
    seen,
  ),
  read(
    "JPEG, colours at a quarter",
    () => colored().jpeg({ chromaSubsampling: "4:2:0" }).toBuffer(),
    seen,
  ),
  read("JPEG, grey", () => grey().jpeg({ quality: 95 }).toBuffer(), { pixels: greys }),
  // CMYK has no single correct colour; the decoder's own profile decides.
  read("JPEG, ink", () => colored().toColourspace("cmyk").jpeg({ quality: 95 }).toBuffer(), {
    ...seen,
    within: 25,
  }),
  read(
    "JPEG, with a profile",
    () => colored().jpeg({ quality: 95 }).withIccProfile("p3").toBuffer(),
    seen,
  ),
  read(
    "JPEG, frame marked as extended",
    () => framed((jpeg, at) => jpeg.writeUInt8(0xc1, at + 1)),
    seen,
  ),
  read("JPEG, stray bytes behind a segment", () => behind(0xe0, stray), seen),
  read("JPEG, stray bytes behind metadata", () => behind(0xe0, xmp, stray), seen),
  read(
    "JPEG, stray bytes behind metadata at the start",
    async () => inserted(await bare(), 2, xmp, stray),
    seen,
  ),
  read("JPEG, stray bytes in front of its pixels", () => behind(0xc4, xmp, stray), seen),
  read(
    "JPEG, restart marker between segments",
    () => behind(0xe0, xmp, Buffer.from([0xff, 0xd0])),
    seen,
  ),
  read(
    "JPEG, marker without meaning between segments",
    () => behind(0xe0, xmp, Buffer.from([0xff, 1])),
    seen,
  ),
  read("JPEG, fill bytes between segments", () => behind(0xe0, xmp, Buffer.alloc(9, 0xff)), seen),
  read("JPEG, comment", () => behind(0xe0, segment(0xfe, Buffer.from("CANARY"))), seen),
  read("JPEG, IPTC", () => behind(0xe0, segment(0xed, Buffer.from("Photoshop 3.0\0CANARY"))), seen),
  read(
    "JPEG, small picture in its JFIF segment",
    async () => {
      const body = Buffer.concat([
        jfif.subarray(0, -2),
        Buffer.from([4, 4]),
        noise(42),
        Buffer.from("CANARY"),
      ]);
      return inserted(await bare(), 2, segment(0xe0, body));
    },
    seen,
  ),
  read("JPEG, no JFIF segment", bare, seen),
  read("JPEG, film behind its end", async () => Buffer.concat([await plain(), noise(500)]), seen),
  read(
    "JPEG, another JPEG behind its end",
    async () => Buffer.concat([await plain(), await plain()]),
    seen,
  ),
  read("JPEG, arithmetic coding", arithmetic, { pixels: flat }),
  ...orientations,
  read("JPEG, no end", async () => (await plain()).subarray(0, -2), seen),
  refused("JPEG, half of it", async () => (await plain()).subarray(0, 300), "picture_truncated"),
  named("JPEG, 12 bits", () => framed((jpeg, at) => jpeg.writeUInt8(12, at + 4)), "bits"),
  named("JPEG, lossless", () => framed((jpeg, at) => jpeg.writeUInt8(0xc3, at + 1)), "lossless"),
  named(
    "JPEG, hierarchical",
    () => framed((jpeg, at) => jpeg.writeUInt8(0xc5, at + 1)),
    "hierarchical",
  ),
  named(
    "JPEG, lossless and arithmetic",
    () => framed((jpeg, at) => jpeg.writeUInt8(0xcb, at + 1)),
    "lossless",
  ),
  named(
    "JPEG, height declared later",
    () => framed((jpeg, at) => jpeg.writeUInt16BE(0, at + 5)),
    "height",
  ),
  named("JPEG-LS", () => framed((jpeg, at) => jpeg.writeUInt8(0xf7, at + 1)), "coding"),
];
