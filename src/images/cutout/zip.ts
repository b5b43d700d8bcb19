import { promisify } from "node:util";
import { crc32, inflateRaw } from "node:zlib";
import { megabytes } from "../limits.ts";
import { damaged } from "../refusal.ts";
import { type Entry, readDirectory } from "./directory.ts";

const inflate = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflateRaw);

/** A 50 megapixel JPEG of the highest quality stays below; so does any grey PNG of that size. */
const maxEntryBytes = 64 * 1024 * 1024;

const stored = 0;
const deflated = 8;

/** The two pictures in the service's ZIP. */
export interface CutoutParts {
  readonly color: Buffer;
  readonly alpha: Buffer;
}

/**
 * Takes exactly `color.jpg` and `alpha.png` out, found by name, in whatever order and packing.
 * Node's own inflate stops at the declared size by itself; jszip does not, and checks no sum.
 */
export async function unzip(zip: Buffer): Promise<CutoutParts> {
  const entries = readDirectory(zip);
  const color = find(entries, "color.jpg");
  const alpha = find(entries, "alpha.png");
  return { color: await extract(zip, color), alpha: await extract(zip, alpha) };
}

/** Checks what the directory declares before anything is inflated. */
export function find(entries: readonly Entry[], name: string): Entry {
  const [entry, twin] = entries.filter((candidate) => candidate.name === name);
  if (!entry) throw damaged(`${name} is missing`);
  if (twin) throw damaged(`${name} is there twice`);
  if (entry.method !== stored && entry.method !== deflated) {
    throw damaged(`${name} is packed in an unknown way`);
  }
  if (entry.bytes === 0) throw damaged(`${name} is empty`);
  if (entry.bytes > maxEntryBytes) {
    const most = megabytes(maxEntryBytes);
    throw damaged(`${name} declares ${megabytes(entry.bytes)}, at most ${most} are read`);
  }
  return entry;
}

async function extract(zip: Buffer, entry: Entry): Promise<Buffer> {
  const packed = zip.subarray(entry.start, entry.start + entry.packedBytes);
  if (packed.length < entry.packedBytes) throw damaged(`${entry.name} is cut off`);
  const content = entry.method === stored ? packed : await unpack(packed, entry);
  if (content.length !== entry.bytes) throw damaged(`${entry.name} has not the size it declares`);
  if (crc32(content) !== entry.crc) throw damaged(`${entry.name} does not match its checksum`);
  return content;
}

/** Output is counted while it comes and stopped at the declared size. */
async function unpack(packed: Buffer, { name, bytes }: Entry): Promise<Buffer> {
  try {
    return await inflate(packed, { maxOutputLength: bytes });
  } catch (error) {
    const isTooLong = error instanceof RangeError;
    throw damaged(
      isTooLong ? `${name} is larger than it declares` : `${name} can't be unpacked`,
      error,
    );
  }
}
