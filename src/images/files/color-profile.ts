import { crc32, deflateSync } from "node:zlib";

// Colour profiles are put into files without touching their pixels: sharp would convert each of them, which doubles the
// cost of a JPEG.

/** A segment holds 65,533 bytes, of which the name and two counters take 14: ICC.1:2022, annex B.4. */
const segmentName = "ICC_PROFILE\0";
const maxSegmentBytes = 65_519;

/** Right behind the start marker and the JFIF segment. */
export function embedInJpeg(jpeg: Buffer, profile: Buffer): Buffer {
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
export function embedInPng(png: Buffer, profile: Buffer): Buffer {
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

/** Behind the chunk of flags, which a plain lossy file does not have yet. */
export function embedInWebp(webp: Buffer, profile: Buffer): Buffer {
  const isExtended = webp.toString("latin1", riffBytes, riffBytes + 4) === "VP8X";
  const behind = isExtended ? riffBytes + extendedBytes : riffBytes;
  const extended = isExtended
    ? Buffer.from(webp.subarray(riffBytes, behind))
    : createExtendedChunk(webp);
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

function createExtendedChunk(webp: Buffer): Buffer {
  const chunk = Buffer.alloc(extendedBytes);
  chunk.write("VP8X", "latin1");
  chunk.writeUInt32LE(extendedBytes - 8, 4);
  chunk.writeUIntLE((webp.readUInt16LE(26) & 0x3fff) - 1, 12, 3);
  chunk.writeUIntLE((webp.readUInt16LE(28) & 0x3fff) - 1, 15, 3);
  return chunk;
}

const headerBytes = 128;
const tagBytes = 12;

/** What editors, cameras and lcms call the standard space; variants such as a linear sRGB have longer names. */
const standardNames = /^sRGB(?: IEC ?61966-2[.-]1| built-in)?$/i;

/** Whether the profile's own description names plain sRGB, so that its pixels are sRGB as they are. */
export function isSrgbProfile(profile: Buffer): boolean {
  return standardNames.test(readDescription(profile).trim());
}

/** Text of the `desc` tag in its old (ASCII) or new (UTF-16) form: ICC.1:2022, 9.2.41 and 10.15. */
function readDescription(profile: Buffer): string {
  if (profile.length < headerBytes + 4) return "";
  const count = Math.min(profile.readUInt32BE(headerBytes), 100);
  for (let i = 0; i < count; i++) {
    const at = headerBytes + 4 + i * tagBytes;
    if (at + tagBytes > profile.length) return "";
    if (profile.toString("latin1", at, at + 4) !== "desc") continue;
    return readText(profile.subarray(profile.readUInt32BE(at + 4)));
  }
  return "";
}

function readText(tag: Buffer): string {
  if (tag.length < 28) return "";
  const type = tag.toString("latin1", 0, 4);
  if (type === "desc")
    return tag.toString("latin1", 12, 12 + tag.readUInt32BE(8)).split("\0")[0] ?? "";
  if (type !== "mluc") return "";
  const start = tag.readUInt32BE(24);
  const utf16 = Buffer.from(tag.subarray(start, start + (tag.readUInt32BE(20) & ~1)));
  return utf16.swap16().toString("utf16le").split("\0")[0] ?? "";
}
