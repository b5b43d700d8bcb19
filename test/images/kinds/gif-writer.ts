/** A frame: colour indexes, row by row. https://www.w3.org/Graphics/GIF/spec-gif89a.txt */
export interface GifFrame {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly indexes: readonly number[];
  readonly isInterlaced?: boolean;
  /** The frame's own colours. */
  readonly palette?: readonly number[];
  /** The index that is transparent. */
  readonly clear?: number;
  /** What happens to the frame afterwards: 1 it stays, 2 it is cleared, 3 what was there before is restored. */
  readonly disposal?: number;
}

export interface GifPlan {
  readonly version: "87a" | "89a";
  readonly width: number;
  readonly height: number;
  /** 256 colours, three numbers each; without it, the GIF has no global palette. */
  readonly palette?: readonly number[];
  readonly frames: readonly GifFrame[];
  readonly comment?: string;
}

const bits = 8;

/** Writes GIFs of kinds that no encoder here can write. */
export function gifOf({ version, width, height, palette, frames, comment }: GifPlan): Buffer {
  const screen = Buffer.alloc(7);
  screen.writeUInt16LE(width, 0);
  screen.writeUInt16LE(height, 2);
  screen[4] = palette ? 0x80 | (bits - 1) : 0;
  const words = comment ? [Buffer.from([0x21, 0xfe]), ...blocks(Buffer.from(comment))] : [];
  return Buffer.concat([
    Buffer.from(`GIF${version}`),
    screen,
    Buffer.from(palette ?? []),
    ...words,
    ...frames.map((frame) => frameOf(frame, version === "89a")),
    Buffer.from(";"),
  ]);
}

function frameOf(frame: GifFrame, hasControl: boolean): Buffer {
  const { left, top, width, height, palette, isInterlaced = false, clear, disposal = 0 } = frame;
  const control = Buffer.from([0x21, 0xf9, 4, disposal << 2, 10, 0, clear ?? 0, 0]);
  if (clear !== undefined) control[3] = (control[3] ?? 0) | 1;
  const head = Buffer.alloc(10);
  head.write(",", "latin1");
  for (const [i, value] of [left, top, width, height].entries())
    head.writeUInt16LE(value, 1 + i * 2);
  head[9] = (palette ? 0x80 | (bits - 1) : 0) | (isInterlaced ? 0x40 : 0);
  const parts = [
    head,
    Buffer.from(palette ?? []),
    Buffer.from([bits]),
    ...blocks(coded(ordered(frame))),
  ];
  return Buffer.concat(hasControl ? [control, ...parts] : parts);
}

/** The order of interlaced rows, every eighth first: appendix E. */
function ordered({ width, height, indexes, isInterlaced }: GifFrame): readonly number[] {
  if (!isInterlaced) return indexes;
  const rows = [
    [0, 8],
    [4, 8],
    [2, 4],
    [1, 2],
  ].flatMap(([first = 0, step = 1]) =>
    Array.from({ length: Math.ceil((height - first) / step) }, (_, i) => first + i * step),
  );
  return rows.flatMap((row) => indexes.slice(row * width, (row + 1) * width));
}

/** LZW that restarts before its codes grow, so that each has nine bits. */
function coded(indexes: readonly number[]): Buffer {
  const restart = 1 << bits;
  const codes = indexes.flatMap((index, i) => (i % 200 === 0 ? [restart, index] : [index]));
  codes.push(restart + 1);
  const packed = Buffer.alloc(Math.ceil((codes.length * (bits + 1)) / 8));
  for (const [i, code] of codes.entries()) {
    for (let bit = 0; bit <= bits; bit++) {
      const at = i * (bits + 1) + bit;
      if ((code >> bit) & 1) packed[at >> 3] = (packed[at >> 3] ?? 0) | (1 << (at & 7));
    }
  }
  return packed;
}

function blocks(data: Buffer): readonly Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at < data.length; at += 255) {
    const part = data.subarray(at, at + 255);
    parts.push(Buffer.from([part.length]), part);
  }
  return [...parts, Buffer.from([0])];
}
