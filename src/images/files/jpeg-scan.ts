import type { PictureDimensions } from "../size.ts";

/** One component of the picture, with its sampling factors: ITU-T T.81, B.2.2. */
export interface JpegComponent {
  readonly id: number;
  readonly across: number;
  readonly down: number;
}

/** Codes of 16 bits to `length << 8 | symbol`; 0 where there is none. */
type HuffmanTable = Uint16Array;

/** What a scan needs of the segments before it. */
export interface ScanTables {
  /** By class and number, as a DHT segment has them in one byte. */
  readonly huffman: Map<number, HuffmanTable>;
  /** MCUs between two restart markers; 0 if there are none. */
  restartInterval: number;
}

interface ScanFrame extends PictureDimensions {
  readonly components: readonly JpegComponent[];
}

const longestCode = 16;
/** Two classes with four numbers each. */
const maxTables = 8;
const blockSamples = 64;
/** A run of 16 zeros; any other code without bits ends a block. */
const zeroRun = 0xf0;

/** Reads the tables of a DHT segment: ITU-T T.81, B.2.4.2 and C.2. False if they are damaged. */
export function readHuffmanTables(body: Buffer, huffman: Map<number, HuffmanTable>): boolean {
  let at = 0;
  for (let n = 0; n < maxTables && at + 1 + longestCode <= body.length; n++) {
    const table = new Uint16Array(1 << longestCode);
    const counts = body.subarray(at + 1, at + 1 + longestCode);
    let symbol = at + 1 + longestCode;
    let start = 0;
    for (const [i, count] of counts.entries()) {
      const span = 1 << (longestCode - i - 1);
      for (let code = 0; code < count; code++, start += span) {
        if (symbol >= body.length || start + span > table.length) return false;
        table.fill(((i + 1) << 8) | (body[symbol++] ?? 0), start, start + span);
      }
    }
    huffman.set(body[at] ?? 0, table);
    at = symbol;
  }
  return at === body.length;
}

/** One block of a scan's unit, by the tables of its component. */
interface BlockTables {
  readonly dc: HuffmanTable;
  readonly ac: HuffmanTable;
}

/**
 * Where the last block of a sequential scan ends, whatever follows it. Undefined if the bytes end before, or are damaged.
 * `head` is the body of the SOS segment, and `start` where its coded bytes start.
 */
export function findScanEnd(
  bytes: Buffer,
  { head, start }: { readonly head: Buffer; readonly start: number },
  frame: ScanFrame,
  { huffman, restartInterval }: ScanTables,
): number | undefined {
  const blocks: BlockTables[] = [];
  const scanned = readScanComponents(head, frame);
  if (scanned.length === 0) return undefined;
  const [only] = scanned.length === 1 ? scanned : [];
  for (const { across, down, tables } of scanned) {
    const dc = huffman.get(tables >> 4);
    const ac = huffman.get(0x10 | (tables & 15));
    if (!dc || !ac) return undefined;
    const count = only ? 1 : across * down;
    for (let n = 0; n < count; n++) blocks.push({ dc, ac });
  }
  const units = countUnits(frame, only);
  const reader = createBitReader(bytes, start);
  for (let unit = 0; unit < units; unit++) {
    const isRestart = restartInterval > 0 && unit > 0 && unit % restartInterval === 0;
    if (isRestart && !reader.skipRestart()) return undefined;
    for (const block of blocks) if (!skipBlock(reader, block)) return undefined;
  }
  return reader.end();
}

/** The components of a scan, with the numbers of their tables: ITU-T T.81, B.2.3. */
export function readScanComponents(head: Buffer, { components }: Pick<ScanFrame, "components">) {
  return Array.from({ length: head[0] ?? 0 }, (_, i) => i * 2 + 1).flatMap((at) => {
    const component = components.find(({ id }) => id === head[at]);
    return component ? [{ ...component, tables: head[at + 1] ?? 0 }] : [];
  });
}

/** A scan of one component has no padding to whole units: ITU-T T.81, A.2. */
function countUnits({ width, height, components }: ScanFrame, only?: JpegComponent): number {
  const across = Math.max(...components.map((one) => one.across));
  const down = Math.max(...components.map((one) => one.down));
  const blocks = (length: number, factor: number, most: number) =>
    Math.ceil(Math.ceil((length * factor) / most) / 8);
  if (only) return blocks(width, only.across, across) * blocks(height, only.down, down);
  return Math.ceil(width / (8 * across)) * Math.ceil(height / (8 * down));
}

function skipBlock(reader: BitReader, { dc, ac }: BlockTables): boolean {
  const bits = reader.readCode(dc);
  if (bits < 0 || bits > longestCode || !reader.skip(bits)) return false;
  for (let at = 1; at < blockSamples; at++) {
    const code = reader.readCode(ac);
    if (code < 0) return false;
    const size = code & 15;
    if (size === 0 && code !== zeroRun) return true;
    at += code >> 4;
    if (!reader.skip(size)) return false;
  }
  return true;
}

type BitReader = ReturnType<typeof createBitReader>;

/** A zero byte after 0xff is no data, and any other marker ends the bits: ITU-T T.81, F.1.2.3. */
function createBitReader(bytes: Buffer, start: number) {
  let at = start;
  let bits = 0;
  let count = 0;
  const fill = () => {
    while (count <= longestCode && at < bytes.length) {
      const byte = bytes[at] ?? 0;
      if (byte === 0xff && bytes[at + 1] !== 0) return;
      at += byte === 0xff ? 2 : 1;
      bits = ((bits << 8) | byte) & 0xffffff;
      count += 8;
    }
  };
  /** False if there are not that many bits. */
  const skip = (length: number): boolean => {
    if (count < length) fill();
    if (count < length) return false;
    count -= length;
    return true;
  };
  /** Gives whole bytes back that were taken ahead. */
  const align = () => {
    for (; count >= 8; count -= 8) at -= bytes[at - 1] === 0 && bytes[at - 2] === 0xff ? 2 : 1;
    count = 0;
  };
  return {
    skip,
    /** The next symbol; -1 if the bits end or mean nothing. */
    readCode(table: HuffmanTable): number {
      if (count < longestCode) fill();
      const ahead =
        count >= longestCode ? bits >> (count - longestCode) : bits << (longestCode - count);
      const entry = table[ahead & 0xffff] ?? 0;
      const length = entry >> 8;
      if (length === 0 || length > count) return -1;
      count -= length;
      return entry & 0xff;
    },
    /** Goes on behind the next marker, which has to be a restart. */
    skipRestart(): boolean {
      align();
      while (bytes[at] === 0xff && bytes[at + 1] === 0xff) at += 1;
      const marker = bytes[at + 1] ?? 0;
      if (bytes[at] !== 0xff || marker < 0xd0 || marker > 0xd7) return false;
      at += 2;
      return true;
    },
    /** Behind the last byte that was begun. */
    end(): number {
      align();
      return at;
    },
  };
}
