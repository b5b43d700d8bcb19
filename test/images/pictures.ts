import { crc32, deflateRawSync } from "node:zlib";
import sharp from "sharp";

/** Seeded noise. */
export function noise(length: number, seed = 1): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let state = seed;
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    bytes[i] = state >> 16;
  }
  return bytes;
}

/** Small, seeded and photo-like: smooth areas with some noise over them. */
export function photo(width: number, height: number, seed = 1) {
  const data = Buffer.allocUnsafe(width * height * 3);
  const grain = noise(data.length, seed);
  for (let i = 0; i < data.length; i++) {
    const pixel = Math.floor(i / 3);
    const wave = Math.sin((pixel % width) / 9 + (i % 3)) + Math.cos(Math.floor(pixel / width) / 7);
    data[i] = 128 + wave * 50 + ((grain[i] ?? 0) >> 5);
  }
  return sharp(data, { raw: { width, height, channels: 3 } });
}

/** An oval with a soft edge: transparent outside, opaque inside, with every value in between. */
export function oval(width: number, height: number): Buffer {
  return Buffer.from(
    Array.from({ length: width * height }, (_, i) => {
      const x = ((i % width) + 0.5) / width - 0.5;
      const y = (Math.floor(i / width) + 0.5) / height - 0.5;
      return Math.max(0, Math.min(255, Math.round((0.4 - Math.hypot(x, y)) * 1_500)));
    }),
  );
}

export function grey(data: Buffer, width: number, height: number): Promise<Buffer> {
  return sharp(data, { raw: { width, height, channels: 1 } })
    .toColourspace("b-w")
    .png()
    .toBuffer();
}

export interface ZipEntry {
  readonly name: string;
  readonly data: Buffer;
  readonly isDeflated?: boolean;
  /** Written into the headers instead of the true size and checksum. */
  readonly declaredBytes?: number;
  readonly crc?: number;
  /** The packed content, if it is not to be made from `data`. */
  readonly packed?: Buffer;
  /** The size is written in 64 bits, and so is the end of the archive, as `zip -fz` does. */
  readonly isWide?: boolean;
}

/** Writes a ZIP whose headers can be wrong. */
export function zipOf(...entries: readonly ZipEntry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const packed = entry.packed ?? (entry.isDeflated ? deflateRawSync(entry.data) : entry.data);
    const name = Buffer.from(entry.name);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(entry.isDeflated ? 8 : 0, 4);
    fields.writeUInt32LE(entry.crc ?? crc32(entry.data), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(entry.declaredBytes ?? entry.data.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const file = Buffer.concat([Buffer.from("PK\x03\x04"), fields, name, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    const extra = entry.isWide ? wideSize(fields) : Buffer.alloc(0);
    const head = Buffer.concat([Buffer.from("PK\x01\x02\x14\0"), fields, rest, name, extra]);
    files.push(file);
    directory.push(head);
    offset += file.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  const isWide = entries.some((entry) => entry.isWide);
  return Buffer.concat([...files, central, ...(isWide ? wideEnd(end) : []), end]);
}

/** Moves the size in a directory entry from its field to an extra field: APPNOTE 4.5.3. */
function wideSize(fields: Buffer): Buffer {
  const extra = Buffer.alloc(12);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(8, 2);
  extra.writeUInt32LE(fields.readUInt32LE(18), 4);
  fields.writeUInt32LE(0xffff_ffff, 18);
  fields.writeUInt16LE(extra.length, 24);
  return extra;
}

/** The 64-bit end of the archive and its locator; the usual end then leaves its offset unset: APPNOTE 4.3.14. */
function wideEnd(end: Buffer): readonly Buffer[] {
  const [count, bytes, offset] = [end.readUInt16LE(10), end.readUInt32LE(12), end.readUInt32LE(16)];
  const record = Buffer.alloc(56);
  record.write("PK\x06\x06", "latin1");
  record.writeUInt32LE(44, 4);
  for (const [at, value] of [
    [24, count],
    [32, count],
    [40, bytes],
    [48, offset],
  ] as const) {
    record.writeUInt32LE(value, at);
  }
  const locator = Buffer.alloc(20);
  locator.write("PK\x06\x07", "latin1");
  locator.writeUInt32LE(offset + bytes, 8);
  locator.writeUInt32LE(1, 16);
  end.writeUInt32LE(0xffff_ffff, 16);
  return [record, locator];
}

/** A complete cut-out as remove.bg sends it. */
export async function cutoutZip(width: number, height: number): Promise<Buffer> {
  const color = await photo(width, height).jpeg({ quality: 90 }).withIccProfile("srgb").toBuffer();
  const alpha = await grey(oval(width, height), width, height);
  return zipOf({ name: "color.jpg", data: color }, { name: "alpha.png", data: alpha });
}

/** The error's code, otherwise what was thrown or returned. */
export async function codeOf(work: Promise<unknown>): Promise<unknown> {
  try {
    return { resolved: await work };
  } catch (error) {
    return error instanceof Error && "code" in error ? error.code : error;
  }
}
