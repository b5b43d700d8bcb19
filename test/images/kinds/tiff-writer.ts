import { height, width } from "./scene.ts";

type Order = "II" | "MM";

/** The samples of a TIFF, and how they are described. https://www.itu.int/itudoc/itu-t/com16/tiff-fx/docs/tiff6.pdf */
export interface TiffPlan {
  /** For each channel of a pixel. */
  readonly bits: number;
  readonly channels: number;
  readonly photometric: number;
  /** From 0 to 1, or what `encode` accepts; row by row, with the channels of a pixel side by side. */
  readonly values: readonly number[];
  /** Turns a value into the number that is written; without it, 0 to 1 becomes the whole range. */
  readonly encode?: (value: number) => number;
  /** 1 unsigned, 2 signed, 3 floating point; 1 when absent. */
  readonly sampleFormat?: number;
  readonly order?: Order;
  /** BigTIFF, with 64-bit offsets. */
  readonly isBig?: boolean;
  readonly isPlanar?: boolean;
  /** The side of square tiles, a multiple of 16; without it, there are strips. */
  readonly tile?: number;
  readonly rowsPerStrip?: number;
  readonly compression?: number;
  readonly pack?: (part: Buffer) => Buffer;
  /** The lowest bit comes first in each byte. */
  readonly isReversed?: boolean;
  /** Further fields by tag, as 16-bit numbers. */
  readonly more?: Readonly<Record<number, readonly number[]>>;
}

interface Field {
  readonly tag: number;
  readonly type: 3 | 4 | 16;
  readonly values: readonly number[];
}

const typeBytes = { 3: 2, 4: 4, 16: 8 } as const;

/** Writes TIFFs of kinds that no encoder here can write. */
export function tiffOf(plan: TiffPlan): Buffer {
  const { order = "II", isBig = false } = plan;
  const parts = partsOf(plan).map((part) => (plan.pack ?? ((same) => same))(part));
  const start = isBig ? 16 : 8;
  const offsets: number[] = [];
  let at = start;
  for (const part of parts) {
    offsets.push(at);
    at += part.length;
  }
  const fields = fieldsOf(plan, offsets, parts);
  const head = Buffer.alloc(start);
  head.write(order, "latin1");
  put(head, { order, at: 2, bytes: 2, value: isBig ? 43 : 42 });
  if (isBig) put(head, { order, at: 4, bytes: 2, value: 8 });
  put(head, { order, at: isBig ? 8 : 4, bytes: isBig ? 8 : 4, value: at });
  return Buffer.concat([head, ...parts, directoryOf(fields, at, { order, isBig })]);
}

function fieldsOf(plan: TiffPlan, offsets: readonly number[], parts: readonly Buffer[]): Field[] {
  const { bits, channels, tile, rowsPerStrip = height } = plan;
  const type = plan.isBig ? 16 : 4;
  const short = (tag: number, ...values: number[]): Field => ({ tag, type: 3, values });
  const long = (tag: number, ...values: number[]): Field => ({ tag, type, values });
  const fields = [
    short(256, width),
    short(257, height),
    short(258, ...Array<number>(channels).fill(bits)),
    short(259, plan.compression ?? 1),
    short(262, plan.photometric),
    short(277, channels),
    short(284, plan.isPlanar ? 2 : 1),
    short(339, ...Array<number>(channels).fill(plan.sampleFormat ?? 1)),
    ...(plan.isReversed ? [short(266, 2)] : []),
    ...Object.entries(plan.more ?? {}).map(([tag, values]) => short(Number(tag), ...values)),
    ...(tile === undefined
      ? [short(278, rowsPerStrip), long(273, ...offsets), long(279, ...lengths(parts))]
      : [short(322, tile), short(323, tile), long(324, ...offsets), long(325, ...lengths(parts))]),
  ];
  return fields.sort((a, b) => a.tag - b.tag);
}

const lengths = (parts: readonly Buffer[]) => parts.map(({ length }) => length);

interface Layout {
  readonly order: Order;
  readonly isBig: boolean;
}

/** A directory; values that do not fit into their entry follow it. */
function directoryOf(fields: readonly Field[], start: number, { order, isBig }: Layout): Buffer {
  const room = isBig ? 8 : 4;
  const entryBytes = isBig ? 20 : 12;
  const countBytes = isBig ? 8 : 2;
  const head = Buffer.alloc(countBytes + fields.length * entryBytes + room);
  put(head, { order, at: 0, bytes: countBytes, value: fields.length });
  const behind: Buffer[] = [];
  let next = start + head.length;
  for (const [i, { tag, type, values }] of fields.entries()) {
    const at = countBytes + i * entryBytes;
    put(head, { order, at, bytes: 2, value: tag });
    put(head, { order, at: at + 2, bytes: 2, value: type });
    put(head, { order, at: at + 4, bytes: room, value: values.length });
    const content = Buffer.alloc(Math.max(room, values.length * typeBytes[type]));
    for (const [n, value] of values.entries()) {
      put(content, { order, at: n * typeBytes[type], bytes: typeBytes[type], value });
    }
    if (content.length <= room) {
      content.copy(head, at + 4 + room);
      continue;
    }
    put(head, { order, at: at + 4 + room, bytes: room, value: next });
    behind.push(content);
    next += content.length;
  }
  return Buffer.concat([head, ...behind]);
}

interface Place {
  readonly order: Order;
  readonly at: number;
  readonly bytes: number;
  readonly value: number;
}

function put(target: Buffer, { order, at, bytes, value }: Place): void {
  const whole = Buffer.alloc(bytes);
  if (order === "II") whole.writeUIntLE(value, 0, Math.min(6, bytes));
  else whole.writeUIntBE(value, Math.max(0, bytes - 6), Math.min(6, bytes));
  whole.copy(target, at);
}

/** The strips or tiles, one plane after another if the planes are separate. */
function partsOf(plan: TiffPlan): readonly Buffer[] {
  const { channels, isPlanar = false, tile, rowsPerStrip = height } = plan;
  const [across, down] = tile === undefined ? [width, rowsPerStrip] : [tile, tile];
  const planes = isPlanar ? Array.from({ length: channels }, (_, c) => [c]) : [range(channels)];
  return planes.flatMap((plane) =>
    range(Math.ceil(height / down)).flatMap((row) =>
      range(Math.ceil(width / across)).map((column) => {
        const rows = tile === undefined ? Math.min(down, height - row * down) : down;
        return Buffer.concat(
          range(rows).map((y) =>
            packedRow(
              plan,
              range(across).flatMap((x) =>
                plane.map((c) => valueAt(plan, column * across + x, row * down + y, c)),
              ),
            ),
          ),
        );
      }),
    ),
  );
}

const range = (length: number) => Array.from({ length }, (_, i) => i);

/** Tiles can extend beyond the edge. */
function valueAt({ values, channels }: TiffPlan, x: number, y: number, channel: number): number {
  if (x >= width || y >= height) return 0;
  return values[(y * width + x) * channels + channel] ?? 0;
}

function packedRow(plan: TiffPlan, values: readonly number[]): Buffer {
  const { bits, sampleFormat = 1, order = "II", isReversed = false } = plan;
  const { encode = (value: number) => Math.round(value * (2 ** bits - 1)) } = plan;
  if (sampleFormat === 3) return floats(values.map(encode), bits, order);
  const whole = values.map((value) => BigInt(encode(value)) & ((1n << BigInt(bits)) - 1n));
  if (bits === 8) return Buffer.from(whole.map(Number));
  if (bits % 16 === 0) return wholeNumbers(whole, bits / 8, order);
  const packed = Buffer.alloc(Math.ceil((bits * values.length) / 8));
  let at = 0;
  for (const value of whole) {
    for (let bit = bits - 1; bit >= 0; bit--, at++) {
      if ((value >> BigInt(bit)) & 1n)
        packed[at >> 3] = (packed[at >> 3] ?? 0) | (0x80 >> (at & 7));
    }
  }
  return isReversed ? Buffer.from([...packed].map(reversed)) : packed;
}

function reversed(byte: number): number {
  return range(8).reduce((sum, bit) => sum | (((byte >> bit) & 1) << (7 - bit)), 0);
}

function wholeNumbers(values: readonly bigint[], bytes: number, order: Order): Buffer {
  const packed = Buffer.alloc(values.length * bytes);
  for (const [i, value] of values.entries()) {
    for (let b = 0; b < bytes; b++) {
      const place = order === "II" ? b : bytes - 1 - b;
      packed[i * bytes + place] = Number((value >> BigInt(8 * b)) & 0xffn);
    }
  }
  return packed;
}

function floats(values: readonly number[], bits: number, order: Order): Buffer {
  const packed = Buffer.alloc((values.length * bits) / 8);
  for (const [i, value] of values.entries()) {
    const at = (i * bits) / 8;
    if (bits === 16) {
      const half = halfOf(value);
      order === "II" ? packed.writeUInt16LE(half, at) : packed.writeUInt16BE(half, at);
    } else if (bits === 32) {
      order === "II" ? packed.writeFloatLE(value, at) : packed.writeFloatBE(value, at);
    } else {
      order === "II" ? packed.writeDoubleLE(value, at) : packed.writeDoubleBE(value, at);
    }
  }
  return packed;
}

/** A 16-bit float between 0 and 65,504. */
function halfOf(value: number): number {
  if (value === 0) return 0;
  const exponent = Math.floor(Math.log2(value));
  return ((exponent + 15) << 10) | Math.round((value / 2 ** exponent - 1) * 1024);
}
