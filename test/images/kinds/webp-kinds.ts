import { type PictureKind, read, refused } from "./kind.ts";
import {
  clear,
  clearColors,
  colored,
  colors,
  grey,
  greys,
  height,
  turned,
  width,
} from "./scene.ts";

const seen = { pixels: colors } as const;

interface Chunk {
  readonly name: string;
  readonly data: Buffer;
}

function chunksOf(webp: Buffer): readonly Chunk[] {
  const found: Chunk[] = [];
  for (let at = 12; at + 8 <= webp.length; ) {
    const bytes = webp.readUInt32LE(at + 4);
    found.push({
      name: webp.toString("latin1", at, at + 4),
      data: webp.subarray(at + 8, at + 8 + bytes),
    });
    at += 8 + bytes + (bytes & 1);
  }
  return found;
}

/** A WebP with these chunks: https://developers.google.com/speed/webp/docs/riff_container */
function webpOf(...chunks: readonly Chunk[]): Buffer {
  const head = Buffer.from("RIFF\0\0\0\0WEBP", "latin1");
  const bytes = Buffer.concat([head, ...chunks.map(written)]);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  return bytes;
}

function written({ name, data }: Chunk): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, "latin1");
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length & 1)]);
}

function extended(flags: number): Chunk {
  const data = Buffer.alloc(10);
  data[0] = flags;
  data.writeUIntLE(width - 1, 4, 3);
  data.writeUIntLE(height - 1, 7, 3);
  return { name: "VP8X", data };
}

/** One dark pixel, lossless, in as few bytes as possible: each of the five codes has one symbol. */
function smallest(): Buffer {
  const bits = [
    ...Array<number>(28).fill(0),
    ...[0, 0, 0, 0],
    ...[0, 0, 0],
    ...[1, 0, 0, 0],
    ...[1, 0, 0, 0],
    ...[1, 0, 0, 0],
    ...[1, 0, 0, 1],
    ...[1, 0, 0, 0],
  ];
  const data = Buffer.alloc(1 + Math.ceil(bits.length / 8));
  data[0] = 0x2f;
  for (const [i, bit] of bits.entries())
    data[1 + (i >> 3)] = (data[1 + (i >> 3)] ?? 0) | (bit << (i & 7));
  return webpOf({ name: "VP8L", data });
}

async function animated(): Promise<Buffer> {
  const frame = async (pipeline: ReturnType<typeof colored>) => {
    const head = Buffer.alloc(16);
    head.writeUIntLE(width - 1, 6, 3);
    head.writeUIntLE(height - 1, 9, 3);
    head.writeUIntLE(100, 12, 3);
    const coded = chunksOf(await pipeline.webp({ quality: 95 }).toBuffer()).map(written);
    return { name: "ANMF", data: Buffer.concat([head, ...coded]) };
  };
  const loop = { name: "ANIM", data: Buffer.alloc(6) };
  return webpOf(extended(2), loop, await frame(colored()), await frame(colored().negate()));
}

async function withMore(
  flags: number,
  more: readonly Chunk[],
  before: readonly Chunk[] = [],
): Promise<Buffer> {
  const chunks = chunksOf(await colored().webp({ quality: 95 }).toBuffer());
  return webpOf(extended(flags), ...before, ...chunks, ...more);
}

const exif = { name: "EXIF", data: Buffer.from("Exif\0\0II*\0\x08\0\0\0\0\0", "latin1") };
const xmp = { name: "XMP ", data: Buffer.from("<x:xmpmeta>CANARY</x:xmpmeta>") };
const odd = { name: "ABCD", data: Buffer.from("CANARYS") };
const pixel = { name: "VP8L", data: Buffer.alloc(8) };

export const webpKinds: readonly PictureKind[] = [
  read("WebP, lossy", () => colored().webp({ quality: 95 }).toBuffer(), seen),
  read("WebP, lossless", () => colored().webp({ lossless: true }).toBuffer(), {
    ...seen,
    within: 0.1,
  }),
  read("WebP, nearly lossless", () => colored().webp({ nearLossless: true }).toBuffer(), seen),
  read("WebP, grey", () => grey().webp({ quality: 95 }).toBuffer(), { pixels: greys }),
  read("WebP, lossy with alpha", () => clear().webp({ quality: 95 }).toBuffer(), {
    pixels: clearColors,
  }),
  read("WebP, lossless with alpha", () => clear().webp({ lossless: true }).toBuffer(), {
    pixels: clearColors,
  }),
  read(
    "WebP, with a profile",
    () => colored().webp({ quality: 95 }).withIccProfile("p3").toBuffer(),
    seen,
  ),
  read("WebP, 28 bytes", smallest, { pixels: Buffer.alloc(3), width: 1, height: 1 }),
  read("WebP, animated", animated, seen),
  read("WebP, extended", () => withMore(0, []), seen),
  read("WebP, EXIF", () => withMore(8, [exif]), seen),
  read("WebP, XMP", () => withMore(4, [xmp]), seen),
  read("WebP, EXIF in front of its pixels", () => withMore(8, [], [exif]), seen),
  read("WebP, unknown chunk of odd length", () => withMore(8, [odd, exif]), seen),
  read("WebP, flags of metadata that is not there", () => withMore(12, []), seen),
  read(
    "WebP, bytes behind its end",
    async () => Buffer.concat([await withMore(8, [exif]), Buffer.from("CANARY")]),
    seen,
  ),
  read(
    "WebP, on its side",
    () => colored().webp({ quality: 95 }).withMetadata({ orientation: 6 }).toBuffer(),
    turned(6),
  ),
  refused(
    "WebP, half of it",
    async () => (await colored().webp().toBuffer()).subarray(0, 150),
    "picture_truncated",
  ),
  refused("WebP, nothing but a header", () => webpOf(pixel), "picture_unreadable"),
];
