const headerBytes = 128;
const tagBytes = 12;

/** What editors, cameras and lcms call the standard space; variants such as a linear sRGB have longer names. */
const standardNames = /^sRGB(?: IEC ?61966-2[.-]1| built-in)?$/i;

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
