const orientationTag = 0x0112;
const shortType = 3;

/**
 * The orientation (1 to 8) in a TIFF block as EXIF holds it; 1 when there is none or it makes no sense.
 * EXIF 2.32, 4.6.4: https://www.cipa.jp/std/documents/e/DC-008-Translation-2019-E.pdf
 */
export function readOrientation(tiff: Buffer): number {
  const order = tiff.toString("latin1", 0, 2);
  if (tiff.length < 14 || (order !== "II" && order !== "MM")) return 1;
  const short = (at: number) => (order === "II" ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = order === "II" ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (directory + 2 > tiff.length) return 1;
  const last = Math.min(short(directory), Math.floor((tiff.length - directory - 2) / 12));
  for (let i = 0; i < last; i++) {
    const entry = directory + 2 + i * 12;
    if (short(entry) !== orientationTag || short(entry + 2) !== shortType) continue;
    const value = short(entry + 8);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}
