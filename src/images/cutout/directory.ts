import { damaged } from "../refusal.ts";

/** The service sends two entries; a few more are tolerated, a directory of thousands is an attack. */
const maxEntries = 8;
const maxDirectoryBytes = 16 * 1024;

/** ZIP records, PKWARE APPNOTE 4.3: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT */
const end = { signature: Buffer.from("PK\x05\x06"), bytes: 22, maxComment: 0xffff } as const;
const locator = { signature: 0x07064b50, bytes: 20 } as const;
const wideEnd = { signature: 0x06064b50, bytes: 56, contentBytes: 44n } as const;

/** How many entries the archive says it has, and how long its directory is. */
interface DirectoryClaim {
  readonly count: number;
  readonly bytes: number;
}

/**
 * Holds the end of a ZIP to what jszip can be given, and tells how many entries it claims: jszip reads entries as long
 * as there are any (32 MB of them in 6 s and 840 MB), and never comes back from a ZIP64 end of 104 bytes with a field
 * of negative length.
 */
export function countEntries(zip: Buffer): number {
  const at = zip.subarray(-(end.bytes + end.maxComment)).lastIndexOf(end.signature);
  const tail = Math.max(0, zip.length - end.bytes - end.maxComment) + at;
  if (at < 0 || tail + end.bytes > zip.length) throw damaged("it is not a complete ZIP");
  const { count, bytes } = isWide(zip, tail) ? readWideEnd(zip, tail) : readEnd(zip, tail);
  if (count > maxEntries) throw damaged(`it has ${count} entries, at most ${maxEntries} are read`);
  if (bytes > maxDirectoryBytes) throw damaged("its directory is broken");
  return count;
}

/** Whether one of the fields that ZIP64 replaces says so. */
function isWide(zip: Buffer, tail: number): boolean {
  const isFull16 = [4, 6, 8, 10].some((at) => zip.readUInt16LE(tail + at) === 0xffff);
  return isFull16 || [12, 16].some((at) => zip.readUInt32LE(tail + at) === 0xffff_ffff);
}

function readEnd(zip: Buffer, tail: number): DirectoryClaim {
  return { count: zip.readUInt16LE(tail + 10), bytes: zip.readUInt32LE(tail + 12) };
}

/** Directly in front of the other end, as every tool writes it, and without fields of its own. */
function readWideEnd(zip: Buffer, tail: number): DirectoryClaim {
  const locatorAt = tail - locator.bytes;
  const at = locatorAt - wideEnd.bytes;
  const isWhole =
    at >= 0 &&
    zip.lastIndexOf("PK\x06\x07", undefined, "latin1") === locatorAt &&
    zip.readUInt32LE(locatorAt) === locator.signature &&
    zip.readBigUInt64LE(locatorAt + 8) === BigInt(at) &&
    zip.readUInt32LE(at) === wideEnd.signature &&
    zip.readBigUInt64LE(at + 4) === wideEnd.contentBytes;
  if (!isWhole) throw damaged("its directory is broken");
  return {
    count: Number(zip.readBigUInt64LE(at + 32)),
    bytes: Number(zip.readBigUInt64LE(at + 40)),
  };
}
