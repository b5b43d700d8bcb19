const headerBytes = 128;
const tagBytes = 12;

/** What editors, cameras and lcms call the standard space; variants such as a linear sRGB have longer names. */
const standardNames = /^sRGB(?: IEC ?61966-2[.-]1| built-in)?$/i;

/** A segment holds 65,533 bytes, of which the name and two counters take 14: ICC.1:2022, annex B.4. */
const segmentName = "ICC_PROFILE\0";
const maxSegmentBytes = 65_519;

/** Whether the profile's own description names plain sRGB, so that its pixels are sRGB as they are. */
export function isStandard(profile: Buffer): boolean {
  return standardNames.test(description(profile).trim());
}

/** Text of the `desc` tag in its old (ASCII) or new (UTF-16) form: ICC.1:2022, 9.2.41 and 10.15. */
function description(profile: Buffer): string {
  if (profile.length < headerBytes + 4) return "";
  const count = Math.min(profile.readUInt32BE(headerBytes), 100);
  for (let i = 0; i < count; i++) {
    const at = headerBytes + 4 + i * tagBytes;
    if (at + tagBytes > profile.length) return "";
    if (profile.toString("latin1", at, at + 4) !== "desc") continue;
    return text(profile.subarray(profile.readUInt32BE(at + 4)));
  }
  return "";
}

function text(tag: Buffer): string {
  if (tag.length < 28) return "";
  const type = tag.toString("latin1", 0, 4);
  if (type === "desc")
    return tag.toString("latin1", 12, 12 + tag.readUInt32BE(8)).split("\0")[0] ?? "";
  if (type !== "mluc") return "";
  const start = tag.readUInt32BE(24);
  const utf16 = Buffer.from(tag.subarray(start, start + (tag.readUInt32BE(20) & ~1)));
  return utf16.swap16().toString("utf16le").split("\0")[0] ?? "";
}

/**
 * Puts a profile into a JPEG that has none, right behind its start marker and JFIF segment.
 * sharp would run every pixel through the profile to do so, which doubles the cost of the file.
 */
export function embedProfile(jpeg: Buffer, profile: Buffer): Buffer {
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
