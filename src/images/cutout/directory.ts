import { damaged } from "../refusal.ts";

/** The service sends two entries; a few more are tolerated, a directory of thousands is an attack. */
const maxEntries = 8;

/** ZIP records, PKWARE APPNOTE 4.3: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT */
const end = { signature: Buffer.from("PK\x05\x06"), bytes: 22, maxComment: 0xffff } as const;
const central = { signature: 0x02014b50, bytes: 46 } as const;
const local = { signature: 0x04034b50, bytes: 30 } as const;

export interface Entry {
  readonly name: string;
  /** 0 stored, 8 deflated. */
  readonly method: number;
  readonly crc: number;
  readonly packedBytes: number;
  /** As declared; the content may lie. */
  readonly bytes: number;
  /** Where its packed content starts in the archive. */
  readonly start: number;
}

/** Reads the central directory, which counts and declares; nothing is inflated. */
export function readDirectory(zip: Buffer): readonly Entry[] {
  const at = zip.subarray(-(end.bytes + end.maxComment)).lastIndexOf(end.signature);
  const tail = Math.max(0, zip.length - end.bytes - end.maxComment) + at;
  if (at < 0 || tail + end.bytes > zip.length) throw damaged("it is not a complete ZIP");
  const count = zip.readUInt16LE(tail + 10);
  if (count > maxEntries) throw damaged(`it has ${count} entries, at most ${maxEntries} are read`);
  const entries: Entry[] = [];
  let next = zip.readUInt32LE(tail + 16);
  for (let i = 0; i < count; i++) {
    if (next + central.bytes > tail || zip.readUInt32LE(next) !== central.signature) {
      throw damaged("its directory is broken");
    }
    entries.push(readEntry(zip, next));
    next += central.bytes + variableBytes(zip, next);
  }
  return entries;
}

/** Name, extra field and comment follow the fixed part. */
function variableBytes(zip: Buffer, at: number): number {
  return zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
}

function readEntry(zip: Buffer, at: number): Entry {
  const header = zip.readUInt32LE(at + 42);
  if (header + local.bytes > zip.length || zip.readUInt32LE(header) !== local.signature) {
    throw damaged("its directory is broken");
  }
  const nameBytes = zip.readUInt16LE(at + 28);
  const localBytes = local.bytes + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
  return {
    name: zip.toString("utf8", at + central.bytes, at + central.bytes + nameBytes),
    method: zip.readUInt16LE(at + 10),
    crc: zip.readUInt32LE(at + 16),
    packedBytes: zip.readUInt32LE(at + 20),
    bytes: zip.readUInt32LE(at + 24),
    start: header + localBytes,
  };
}
