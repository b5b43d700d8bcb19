import { crc32 } from "node:zlib";
import { maxParts } from "../limits.ts";
import type { PictureDimensions } from "../size.ts";
import { readOrientation } from "./exif.ts";
import type { ByteSpan, PictureStructure } from "./picture-structure.ts";

const signatureBytes = 8;
const headerEnd = 29;

/**
 * Chunks that pixels and colours need. All others are removed together with metadata.
 * https://www.w3.org/TR/png-3/#11Chunks
 */
const keptChunks = new Set(
  "IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD pHYs".split(" "),
);

/**
 * Chunks that have to be removed: text, dates, EXIF, and an animation's frames beyond the picture that every program shows.
 * An unknown chunk alone is no reason to change the file.
 */
const unwantedChunks = new Set(["eXIf", "tEXt", "zTXt", "iTXt", "tIME", "acTL", "fcTL", "fdAT"]);

/** Chunks that describe the colours better than a gamma does: https://www.w3.org/TR/png-3/#4Concepts.ColourSpaces */
const colorSpaceChunks = new Set(["iCCP", "sRGB", "cICP"]);
const gammaUnit = 100_000;
/** sRGB's gamma, and a difference that nobody sees. */
const usualGamma = 1 / 2.2;
const sameGamma = 0.01;

/** Undefined if the samples are already sRGB. */
function readExponent(body: Buffer): number | undefined {
  if (body.length !== 4) return undefined;
  const gamma = body.readUInt32BE(0) / gammaUnit;
  const isUsual = Math.abs(gamma - usualGamma) < sameGamma;
  return gamma === 0 || isUsual ? undefined : usualGamma / gamma;
}

/** Undefined if the bytes end before the header does: https://www.w3.org/TR/png-3/#11IHDR */
export function readPngHeader(bytes: Buffer) {
  if (bytes.length < headerEnd) return undefined;
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  return { width, height, bits: bytes.readUInt8(24), colorType: bytes.readUInt8(25) };
}

/** IHDR comes first: https://www.w3.org/TR/png-3/#5ChunkOrdering */
export function readPngSize(bytes: Buffer): PictureDimensions | undefined {
  if (bytes.toString("latin1", 12, 16) !== "IHDR") return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

const alphaBit = 4;

/** By its colour type, or by a chunk that makes a colour clear. */
export function mayBeClearPng(head: Buffer): boolean {
  const { colorType = 0 } = readPngHeader(head) ?? {};
  return (colorType & alphaBit) !== 0 || head.includes("tRNS");
}

/** Walks the chunks up to IEND. */
export function readPng(bytes: Buffer): PictureStructure | undefined {
  const header = readPngHeader(bytes);
  if (header === undefined) return { ...unread, isComplete: false };
  const first = bytes.toString("latin1", 12, 16);
  if (first === "CgBI") return { ...unread, unsupported: { feature: "coding", value: first } };
  if (first !== "IHDR") return undefined;
  const { width, height, bits, colorType } = header;
  const samples = samplesByColorType[colorType] ?? 4;
  const rawBytes = height * Math.ceil((width * samples * bits) / 8);
  const size = { width, height, rawBytes };
  let orientation = 1;
  let frames = 0;
  let exponent: number | undefined;
  let hasSpace = false;
  const extras: ByteSpan[] = [];
  let parts = 0;
  for (const { name, start, end } of chunks(bytes)) {
    if (++parts > maxParts) return undefined;
    if (name === "fcTL") frames += 1;
    if (name === "eXIf") orientation = readOrientation(bytes.subarray(start + 8, end - 4));
    if (name === "gAMA") exponent = readExponent(bytes.subarray(start + 8, end - 4));
    if (colorSpaceChunks.has(name)) hasSpace = true;
    if (unwantedChunks.has(name)) extras.push({ start, end });
    if (name !== "IEND") continue;
    if (end < bytes.length) extras.push({ start: end, end: bytes.length });
    return {
      ...size,
      orientation,
      frames: Math.max(1, frames),
      isComplete: true,
      extras,
      ...(exponent !== undefined && !hasSpace && { exponent, isRare: true }),
    };
  }
  return { ...size, orientation, frames: 1, isComplete: false, extras };
}

const samplesByColorType: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** For a file that ends too early, and for PNGs that Xcode writes, which begin with a chunk of their own. */
const unread = { width: 0, height: 0, orientation: 1, frames: 1, isComplete: true, extras: [] };

/** Keeps the chunks that pixels and colours need, byte for byte. */
export function stripPng(bytes: Buffer): Buffer {
  const parts: Buffer[] = [bytes.subarray(0, signatureBytes)];
  for (const { name, start, end } of chunks(bytes)) {
    if (keptChunks.has(name)) parts.push(bytes.subarray(start, end));
  }
  return Buffer.concat(parts);
}

/**
 * The file with an end, if it has none: what there is of a last chunk of pixels is kept. Only decoding tells whether pixels
 * are missing.
 */
export function endPng(bytes: Buffer): Buffer | undefined {
  let last = signatureBytes;
  let parts = 0;
  for (const { name, end } of chunks(bytes)) {
    if (name === "IEND" || ++parts > maxParts) return undefined;
    last = end;
  }
  const whole = [bytes.subarray(0, last)];
  if (bytes.toString("latin1", last + 4, last + 8) === "IDAT") {
    // Without what there is of its sum.
    const end = last + 8 + bytes.readUInt32BE(last);
    whole.push(createChunk("IDAT", bytes.subarray(last + 8, end)));
  }
  return Buffer.concat([...whole, createChunk("IEND", Buffer.alloc(0))]);
}

function createChunk(name: string, body: Buffer): Buffer {
  const chunk = Buffer.alloc(body.length + 12);
  chunk.writeUInt32BE(body.length, 0);
  chunk.write(name, 4, "latin1");
  body.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return chunk;
}

/** Every whole chunk up to and with IEND. */
function* chunks(bytes: Buffer): Generator<ByteSpan & { readonly name: string }> {
  let start = signatureBytes;
  while (start + 12 <= bytes.length) {
    const end = start + 12 + bytes.readUInt32BE(start);
    if (end > bytes.length) return;
    const name = bytes.toString("latin1", start + 4, start + 8);
    yield { name, start, end };
    if (name === "IEND") return;
    start = end;
  }
}
