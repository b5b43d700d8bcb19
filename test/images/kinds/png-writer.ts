import { deflateSync } from "node:zlib";
import { chunk } from "../bad-files.ts";
import { withSums } from "../mutations.ts";
import { height, width } from "./scene.ts";

/** The samples of a PNG, and how they are described. https://www.w3.org/TR/png-3/#11IHDR */
export interface PngPlan {
  readonly bits: number;
  readonly colorType: 0 | 2 | 3 | 4 | 6;
  /** Integers, row by row, with the channels of a pixel side by side. */
  readonly values: readonly number[];
  readonly isInterlaced?: boolean;
  /** The filter of every row; without it, 0 to 4 in turn. */
  readonly filter?: number;
  /** Chunks between header and pixels, in this order. */
  readonly chunks?: readonly (readonly [name: string, data: Buffer])[];
  readonly behind?: readonly (readonly [name: string, data: Buffer])[];
  /** How many bytes of pixels each chunk has. */
  readonly pieceBytes?: number;
}

const channelsOf = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 } as const;

/** First column, first row, and the steps of each pass: https://www.w3.org/TR/png-3/#8InterlaceMethods */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** Writes PNGs of kinds that no encoder here can write. */
export function pngOf(plan: PngPlan): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = plan.bits;
  header[9] = plan.colorType;
  header[12] = plan.isInterlaced ? 1 : 0;
  const whole = plan.isInterlaced ? passes : ([[0, 0, 1, 1]] as const);
  const pixels = deflateSync(Buffer.concat(whole.map((pass) => passOf(plan, pass))));
  const pieceBytes = plan.pieceBytes ?? pixels.length;
  const pieces = Array.from({ length: Math.ceil(pixels.length / pieceBytes) }, (_, i) =>
    chunk("IDAT", pixels.subarray(i * pieceBytes, (i + 1) * pieceBytes)),
  );
  return withSums(
    Buffer.concat([
      Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
      chunk("IHDR", header),
      ...(plan.chunks ?? []).map(([name, data]) => chunk(name, data)),
      ...pieces,
      ...(plan.behind ?? []).map(([name, data]) => chunk(name, data)),
      chunk("IEND", Buffer.alloc(0)),
    ]),
  );
}

function passOf(
  plan: PngPlan,
  [left, top, across, down]: readonly [number, number, number, number],
) {
  const channels = channelsOf[plan.colorType];
  const rows: Buffer[] = [];
  const pixelBytes = Math.max(1, (plan.bits * channels) / 8);
  let above: Buffer = Buffer.alloc(0);
  for (let y = top; y < height; y += down) {
    const values: number[] = [];
    for (let x = left; x < width; x += across) {
      const at = (y * width + x) * channels;
      values.push(...plan.values.slice(at, at + channels));
    }
    if (values.length === 0) continue;
    const row = packed(values, plan.bits);
    const filter = plan.filter ?? rows.length % 5;
    rows.push(Buffer.concat([Buffer.from([filter]), filtered({ row, above, filter, pixelBytes })]));
    above = row;
  }
  return Buffer.concat(rows);
}

function packed(values: readonly number[], bits: number): Buffer {
  const row = Buffer.alloc(Math.ceil((values.length * bits) / 8));
  for (const [i, value] of values.entries()) {
    if (bits === 16) row.writeUInt16BE(value, i * 2);
    else
      row[(i * bits) >> 3] = (row[(i * bits) >> 3] ?? 0) | (value << (8 - bits - ((i * bits) & 7)));
  }
  return row;
}

interface Row {
  readonly row: Buffer;
  readonly above: Buffer;
  readonly filter: number;
  readonly pixelBytes: number;
}

/** A row after filtering: https://www.w3.org/TR/png-3/#9Filters */
function filtered({ row, above, filter, pixelBytes }: Row): Buffer {
  return Buffer.from(
    row.map((value, i) => {
      const [a, b, c] = [row[i - pixelBytes] ?? 0, above[i] ?? 0, above[i - pixelBytes] ?? 0];
      return value - ([0, a, b, (a + b) >> 1, paeth(a, b, c)][filter] ?? 0);
    }),
  );
}

function paeth(a: number, b: number, c: number): number {
  const p = a + b - c;
  const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
  if (pa <= pb && pa <= pc) return a;
  return pb <= pc ? b : c;
}
