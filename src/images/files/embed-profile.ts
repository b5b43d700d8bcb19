import { crc32, deflateSync } from "node:zlib";
import type { OutputFormat } from "../types.ts";

/**
 * Puts a colour profile into a file that has none, without a look at its pixels: sharp would run each of them through
 * the profile, which doubles the cost of a JPEG.
 */
export function embedProfile(file: Buffer, format: OutputFormat, profile: Buffer): Buffer {
  return embed[format](file, profile);
}

const embed = { jpg: intoJpeg, png: intoPng, webp: intoWebp } satisfies Record<
  OutputFormat,
  (file: Buffer, profile: Buffer) => Buffer
>;

/** A segment holds 65,533 bytes, of which the name and two counters take 14: ICC.1:2022, annex B.4. */
const segmentName = "ICC_PROFILE\0";
const maxSegmentBytes = 65_519;

/** Right behind the start marker and the JFIF segment. */
function intoJpeg(jpeg: Buffer, profile: Buffer): Buffer {
  const at = jpeg[3] === 0xe0 ? 4 + jpeg.readUInt16BE(4) : 2;
  const count = Math.ceil(profile.length / maxSegmentBytes);
  const segments = Array.from({ length: count }, (_, i) => {
    const part = profile.subarray(i * maxSegmentBytes, (i + 1) * maxSegmentBytes);
    const head = Buffer.from(`\xff\xe2\0\0${segmentName}\0\0`, "latin1");
    head.writeUInt16BE(part.length + head.length - 2, 2);
    head[head.length - 2] = i + 1;
    head[head.length - 1] = count;
    return Buffer.concat([head, part]);
  });
  return Buffer.concat([jpeg.subarray(0, at), ...segments, jpeg.subarray(at)]);
}

/** Signature and header chunk. */
const pngHeadBytes = 33;

/** Before palette and pixels: https://www.w3.org/TR/png-3/#11iCCP */
function intoPng(png: Buffer, profile: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from("iCCPicc\0\0", "latin1"), deflateSync(profile)]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length - 4);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(content));
  const [head, rest] = [png.subarray(0, pngHeadBytes), png.subarray(pngHeadBytes)];
  return Buffer.concat([head, length, content, sum, rest]);
}

/** RIFF header, and the chunk of flags and size behind it: https://developers.google.com/speed/webp/docs/riff_container */
const riffBytes = 12;
const extendedBytes = 18;
const profileFlag = 0x20;

/** Behind the chunk of flags, which a plain lossy file has not got yet. */
function intoWebp(webp: Buffer, profile: Buffer): Buffer {
  const isExtended = webp.toString("latin1", riffBytes, riffBytes + 4) === "VP8X";
  const behind = isExtended ? riffBytes + extendedBytes : riffBytes;
  const extended = isExtended ? Buffer.from(webp.subarray(riffBytes, behind)) : extendedOf(webp);
  extended[8] = (extended[8] ?? 0) | profileFlag;
  const chunk = Buffer.alloc(8 + profile.length + (profile.length & 1));
  chunk.write("ICCP", "latin1");
  chunk.writeUInt32LE(profile.length, 4);
  profile.copy(chunk, 8);
  const head = Buffer.from(webp.subarray(0, riffBytes));
  const file = Buffer.concat([head, extended, chunk, webp.subarray(behind)]);
  file.writeUInt32LE(file.length - 8, 4);
  return file;
}

function extendedOf(webp: Buffer): Buffer {
  const chunk = Buffer.alloc(extendedBytes);
  chunk.write("VP8X", "latin1");
  chunk.writeUInt32LE(extendedBytes - 8, 4);
  chunk.writeUIntLE((webp.readUInt16LE(26) & 0x3fff) - 1, 12, 3);
  chunk.writeUIntLE((webp.readUInt16LE(28) & 0x3fff) - 1, 15, 3);
  return chunk;
}
