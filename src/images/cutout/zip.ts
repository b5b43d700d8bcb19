import { crc32, inflateRawSync, constants as zlib } from "node:zlib";
import type { JSZipObject } from "jszip";
import { readPngHeader } from "../files/png.ts";
import { formatMegabytes } from "../limits.ts";
import { createDamagedError } from "../picture-errors.ts";

/** A JPEG of 50 megapixels in the highest quality stays below this; so does any grey PNG of that size. */
const maxEntryBytes = 64 * 1024 * 1024;

/** Of a local header: APPNOTE 4.3.7. */
const local = { signature: 0x04034b50, bytes: 30, method: 8, extraBytes: 28 } as const;
const alphaName = "alpha.png";
const packedHeadBytes = 512;
const ihdrBytes = 33;

/** An entry, and what the directory declares of it; the content may lie. */
interface DeclaredEntry {
  readonly file: JSZipObject;
  readonly bytes: number;
  readonly crc: number;
}

/** Takes exactly `color.jpg` and `alpha.png` out, found by name, in whatever order and packing. */
export async function unzipCutout(zip: Buffer) {
  const files = await openZip(zip);
  const [color, alpha] = [findEntry(files, "color.jpg"), findEntry(files, alphaName)];
  return { color: await extract(color), alpha: await extract(alpha) };
}

/**
 * Number of pixels of the archive's first alpha.png, without reading its directory: quick, for the estimate of a job's
 * memory. Undefined if none is found.
 */
export function peekAlphaPixels(zip: Buffer): number | undefined {
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
    throw createDamagedError("its directory is broken", error);
  });
  const entries = Object.values(files);
  // Of two entries of one name, jszip keeps the last.
  if (entries.length !== count)
    throw createDamagedError("its directory has an entry twice or lacks one");
  return entries;
}

/** A private field of jszip, which itself can check the sums only by inflating everything. */
interface LoadedEntry {
  readonly _data: { readonly uncompressedSize: number; readonly crc32: number };
}

/** Checks what the directory declares before anything is inflated. */
function findEntry(files: readonly JSZipObject[], name: string): DeclaredEntry {
  const file = files.find(({ unsafeOriginalName }) => unsafeOriginalName === name);
  if (!file) throw createDamagedError(`${name} is missing`);
  const { _data: data } = file as unknown as LoadedEntry;
  // jszip reads numbers of 32 bits with a sign.
  const bytes = data.uncompressedSize >>> 0;
  if (bytes === 0) throw createDamagedError(`${file.name} is empty`);
  if (bytes > maxEntryBytes) {
    const most = formatMegabytes(maxEntryBytes);
    throw createDamagedError(
      `${file.name} declares ${formatMegabytes(bytes)}, at most ${most} are read`,
    );
  }
  return { file, bytes, crc: data.crc32 >>> 0 };
}

/**
 * Counts the output while it comes and stops at the declared size. After that jszip still sends what it has unpacked of
 * its current piece of 16 KB: 17 MB at most.
 */
function extract({ file, bytes: declaredBytes, crc }: DeclaredEntry): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const content = Buffer.allocUnsafeSlow(declaredBytes);
  let bytes = 0;
  const stream = file.nodeStream("nodebuffer");
  stream.on("data", (piece: Buffer) => {
    if (bytes + piece.length > declaredBytes) {
      stream.pause();
      reject(createDamagedError(`${file.name} is larger than it declares`));
      return;
    }
    bytes += piece.copy(content, bytes);
  });
  stream.on("error", (error: unknown) => {
    reject(createDamagedError(`${file.name} can't be unpacked to the size it declares`, error));
  });
  stream.on("end", () => {
    if (crc32(content) === crc) resolve(content);
    else reject(createDamagedError(`${file.name} does not match its checksum`));
  });
  return promise;
}

/** remove.bg sends two entries; a few more are tolerated, a directory of thousands is an attack. */
const maxEntries = 8;
const maxDirectoryBytes = 16 * 1024;

/** ZIP records, PKWARE APPNOTE 4.3: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT */
const end = { signature: Buffer.from("PK\x05\x06"), bytes: 22, maxComment: 0xffff } as const;
const locator = { signature: 0x07064b50, bytes: 20 } as const;
const wideEnd = { signature: 0x06064b50, bytes: 56, contentBytes: 44n } as const;

/**
 * Checks that the end of a ZIP is safe for jszip, and returns how many entries it claims. jszip reads entries as long as there
 * are any (32 MB of them took 6 s and 840 MB), and never returns from a ZIP64 end of 104 bytes with a field of negative length.
 */
function countEntries(zip: Buffer): number {
  const at = zip.subarray(-(end.bytes + end.maxComment)).lastIndexOf(end.signature);
  const tail = Math.max(0, zip.length - end.bytes - end.maxComment) + at;
  if (at < 0 || tail + end.bytes > zip.length) throw createDamagedError("it is not a complete ZIP");
  // ZIP64 is used where one of the fields that it replaces has its highest value.
  const isWide =
    [4, 6, 8, 10].some((field) => zip.readUInt16LE(tail + field) === 0xffff) ||
    [12, 16].some((field) => zip.readUInt32LE(tail + field) === 0xffff_ffff);
  const { count, bytes } = isWide
    ? readWideEnd(zip, tail)
    : { count: zip.readUInt16LE(tail + 10), bytes: zip.readUInt32LE(tail + 12) };
  if (count > maxEntries)
    throw createDamagedError(`it has ${count} entries, at most ${maxEntries} are read`);
  if (bytes > maxDirectoryBytes) throw createDamagedError("its directory is broken");
  return count;
}

/** It must lie directly in front of the other end, as every tool writes it, and have no further fields. */
function readWideEnd(zip: Buffer, tail: number) {
  const locatorAt = tail - locator.bytes;
  const at = locatorAt - wideEnd.bytes;
  const isWhole =
    at >= 0 &&
    zip.lastIndexOf("PK\x06\x07", undefined, "latin1") === locatorAt &&
    zip.readUInt32LE(locatorAt) === locator.signature &&
    zip.readBigUInt64LE(locatorAt + 8) === BigInt(at) &&
    zip.readUInt32LE(at) === wideEnd.signature &&
    zip.readBigUInt64LE(at + 4) === wideEnd.contentBytes;
  if (!isWhole) throw createDamagedError("its directory is broken");
  return {
    count: Number(zip.readBigUInt64LE(at + 32)),
    bytes: Number(zip.readBigUInt64LE(at + 40)),
  };
}
