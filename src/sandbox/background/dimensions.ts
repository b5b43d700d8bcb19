import { refuse } from "./refusals.ts";

const maxInputPixels = 50_000_000;

/** Pixels of the picture as its header declares them. */
export function checkDimensions(bytes: Uint8Array): { width: number; height: number } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const read = readers.find(([magic, at]) =>
    buffer.toString("latin1", at, at + 8).startsWith(magic),
  );
  if (read === undefined) throw refuse("invalid_file_type");
  const [width, height] = read[2](buffer) ?? [0, 0];
  if (!(width > 0 && height > 0)) throw refuse("invalid_dimensions");
  if (width * height > maxInputPixels) throw refuse("resolution_too_high");
  return { width, height };
}

type ReadSize = (buffer: Buffer) => readonly [number, number] | undefined;

/** The bytes a file starts with, where they stand, and how its size is read. */
const readers: readonly [magic: string, at: number, ReadSize][] = [
  ["\x89PNG\r\n\x1a\n", 0, readPng],
  ["\xff\xd8\xff", 0, readJpeg],
  ["WEBP", 8, readWebp],
];

function readPng(buffer: Buffer): readonly [number, number] | undefined {
  return buffer.length < 24 ? undefined : [buffer.readUInt32BE(16), buffer.readUInt32BE(20)];
}

/** Walks the segments to the frame header (SOF0 to SOF15 without DHT, JPG and DAC). */
function readJpeg(buffer: Buffer): readonly [number, number] | undefined {
  for (let at = 2; at + 9 < buffer.length && buffer[at] === 0xff; ) {
    const marker = buffer[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return [buffer.readUInt16BE(at + 7), buffer.readUInt16BE(at + 5)];
    at += marker === 0xff ? 1 : 2 + buffer.readUInt16BE(at + 2);
  }
  return undefined;
}

/** https://developers.google.com/speed/webp/docs/riff_container: simple, lossless and extended files. */
function readWebp(buffer: Buffer): readonly [number, number] | undefined {
  if (buffer.length < 30) return undefined;
  const kind = buffer.toString("latin1", 12, 16);
  if (kind === "VP8X") return [buffer.readUIntLE(24, 3) + 1, buffer.readUIntLE(27, 3) + 1];
  if (kind === "VP8 ") return [buffer.readUInt16LE(26) & 0x3fff, buffer.readUInt16LE(28) & 0x3fff];
  if (kind !== "VP8L") return undefined;
  const bits = buffer.readUInt32LE(21);
  return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
}
