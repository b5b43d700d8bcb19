import type { UploadedMedia } from "./call.ts";
import type { Picture } from "./world/index.ts";

/** A picture with its size, as its first bytes tell. */
export interface ReadPicture {
  readonly picture: Picture;
  readonly width: number;
  readonly height: number;
}

const pngMagic = 0x89_50_4e_47;
/** SOF0 to SOF11 without the tables between them. */
const frameMarkers = new Set([0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb]);

/** A JPEG or PNG, whatever its declared type; undefined for anything else. */
export function readPicture({ bytes, hash }: UploadedMedia): ReadPicture | undefined {
  if (bytes === undefined) return undefined;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const png = readPng(buffer);
  const size = png ?? readJpeg(buffer);
  const type = png === undefined ? "image/jpeg" : "image/png";
  return size && { picture: { type, bytes, hash }, width: size[0], height: size[1] };
}

type Size = readonly [width: number, height: number];

function readPng(buffer: Buffer): Size | undefined {
  const isPng = buffer.length >= 24 && buffer.readUInt32BE(0) === pngMagic;
  return isPng ? [buffer.readUInt32BE(16), buffer.readUInt32BE(20)] : undefined;
}

function readJpeg(buffer: Buffer): Size | undefined {
  if (buffer.length < 4 || buffer.readUInt16BE(0) !== 0xff_d8) return undefined;
  for (let at = 2; at + 9 < buffer.length && buffer[at] === 0xff; ) {
    const marker = buffer.readUInt8(at + 1);
    if (frameMarkers.has(marker)) return [buffer.readUInt16BE(at + 7), buffer.readUInt16BE(at + 5)];
    at += 2 + buffer.readUInt16BE(at + 2);
  }
  return undefined;
}
