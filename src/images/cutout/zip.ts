import { crc32, inflateRawSync, constants as zlib } from "node:zlib";
import type { JSZipObject } from "jszip";
import { readPngHeader } from "../files/png.ts";
import { megabytes } from "../limits.ts";
import { damaged } from "../refusal.ts";

/** A 50 megapixel JPEG of the highest quality stays below; so does any grey PNG of that size. */
const maxEntryBytes = 64 * 1024 * 1024;

/** Of a local header: APPNOTE 4.3.7. */
const local = { signature: 0x04034b50, bytes: 30, method: 8, extraBytes: 28 } as const;
const alphaName = "alpha.png";
const packedHeadBytes = 512;
const ihdrBytes = 33;

/** The two pictures in the service's ZIP. */
interface CutoutParts {
  readonly color: Buffer;
  readonly alpha: Buffer;
}

/** What the directory declares of an entry; the content may lie. */
interface Declared {
  readonly bytes: number;
  readonly crc: number;
}

/** Takes exactly `color.jpg` and `alpha.png` out, found by name, in whatever order and packing. */
export async function unzip(zip: Buffer): Promise<CutoutParts> {
  const files = await openZip(zip);
  const [color, alpha] = [find(files, "color.jpg"), find(files, alphaName)];
  const [ofColor, ofAlpha] = [declaredOf(color), declaredOf(alpha)];
  return { color: await extract(color, ofColor), alpha: await extract(alpha, ofAlpha) };
}

/**
 * Pixels of the first alpha.png that lies in the archive, without reading its directory: jobs are let in by them, at
 * once. Undefined where there is none to be seen.
 */
export function peekPixels(zip: Buffer): number | undefined {
  const name = zip.indexOf(alphaName);
  const at = name - local.bytes;
  if (at < 0 || zip.readUInt32LE(at) !== local.signature) return undefined;
  const start = name + alphaName.length + zip.readUInt16LE(at + local.extraBytes);
  const packed = zip.subarray(start, start + packedHeadBytes);
  try {
    const isStored = zip.readUInt16LE(at + local.method) === 0;
    const head = isStored ? packed : inflateRawSync(packed, { finishFlush: zlib.Z_SYNC_FLUSH });
    const header = head.length < ihdrBytes ? undefined : readPngHeader(head);
    return header && header.width * header.height;
  } catch {
    return undefined;
  }
}

async function openZip(zip: Buffer): Promise<readonly JSZipObject[]> {
  const count = countEntries(zip);
  const { default: JsZip } = await import("jszip");
  const { files } = await JsZip.loadAsync(zip).catch((error: unknown) => {
    throw damaged("its directory is broken", error);
  });
  const entries = Object.values(files);
  // Of two entries of one name, jszip keeps the last.
  if (entries.length !== count) throw damaged("its directory has an entry twice or lacks one");
  return entries;
}

function find(files: readonly JSZipObject[], name: string): JSZipObject {
  const file = files.find(({ unsafeOriginalName }) => unsafeOriginalName === name);
  if (!file) throw damaged(`${name} is missing`);
  return file;
}

/** As jszip's types describe the field, which it keeps to itself; it checks sums only by inflating everything. */
interface Loaded {
  readonly _data: { readonly uncompressedSize: number; readonly crc32: number };
}

/** Checks what the directory declares before anything is inflated. */
function declaredOf(file: JSZipObject): Declared {
  const { _data: data } = file as unknown as Loaded;
  // It reads numbers of 32 bits with a sign.
  const bytes = data.uncompressedSize >>> 0;
  if (bytes === 0) throw damaged(`${file.name} is empty`);
  if (bytes > maxEntryBytes) {
    const most = megabytes(maxEntryBytes);
    throw damaged(`${file.name} declares ${megabytes(bytes)}, at most ${most} are read`);
  }
  return { bytes, crc: data.crc32 >>> 0 };
}

async function extract(file: JSZipObject, { bytes, crc }: Declared): Promise<Buffer> {
  const content = await inflate(file, bytes);
  if (crc32(content) !== crc) throw damaged(`${file.name} does not match its checksum`);
  return content;
}

/**
 * Output is counted while it comes, and stopped at the declared size. What jszip has unpacked of the piece that it is
 * at, of 16 KB, still comes after that: 17 MB at most.
 */
function inflate(file: JSZipObject, declaredBytes: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const content = Buffer.allocUnsafeSlow(declaredBytes);
  let bytes = 0;
  const stream = file.nodeStream("nodebuffer");
  stream.on("data", (piece: Buffer) => {
    if (bytes + piece.length > declaredBytes) {
      stream.pause();
      reject(damaged(`${file.name} is larger than it declares`));
      return;
    }
    bytes += piece.copy(content, bytes);
  });
  stream.on("error", (error: unknown) => {
    reject(damaged(`${file.name} can't be unpacked to the size it declares`, error));
  });
  stream.on("end", () => resolve(content));
  return promise;
}

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
function countEntries(zip: Buffer): number {
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
