import type { Box } from "../cutout/subject.ts";
import type { Size } from "../size.ts";

export interface SheetLayout extends Size {
  /** In the order of the pictures. */
  readonly cells: readonly Box[];
}

const gap = 8;

/** A thread of a picture gets a cell that can be seen. */
const longest = 4;
/** Small pictures are shown as they are, tiny ones larger. */
const leastHeight = 64;

/** Puts pictures in rows of equal width, each row of one height, on a sheet whose longer side is `side` at most. */
export function layOutSheet(pictures: readonly Size[], side: number): SheetLayout {
  const rows = rowsOf(pictures);
  const most = Math.max(leastHeight, ...pictures.map(({ height }) => height));
  // As high as its width wants it, but never higher than the pictures are.
  const heights = rows.map((row) => Math.min(most, heightFor(row, side)));
  const full = heights.reduce((sum, height) => sum + height, 0) + gap * (rows.length - 1);
  const scale = Math.min(1, (side - gap * (rows.length - 1)) / (full - gap * (rows.length - 1)));
  const scaled = heights.map((height) => Math.max(1, Math.floor(height * scale)));
  const widths = rows.map((row, at) => row.map((ratio) => widthOf(ratio, scaled[at] ?? 1)));
  const width = Math.max(...widths.map(total));
  const height = total(scaled);
  return { width, height, cells: place(widths, scaled, width) };
}

/** Two stand side by side, more in rows that are as even as can be. */
function rowsOf(pictures: readonly Size[]): readonly (readonly number[])[] {
  const ratios = pictures.map(({ width, height }) =>
    Math.min(longest, Math.max(1 / longest, width / height)),
  );
  const count = ratios.length < 4 ? 1 : Math.round(Math.sqrt(ratios.length / 1.4));
  return Array.from({ length: count }, (_, row) =>
    ratios.slice(
      Math.round((row * ratios.length) / count),
      Math.round(((row + 1) * ratios.length) / count),
    ),
  );
}

function heightFor(ratios: readonly number[], width: number): number {
  const sum = ratios.reduce((all, ratio) => all + ratio, 0);
  return (width - gap * (ratios.length - 1)) / sum;
}

function widthOf(ratio: number, height: number): number {
  return Math.max(1, Math.floor(ratio * height));
}

function total(lengths: readonly number[]): number {
  return lengths.reduce((sum, length) => sum + length, 0) + gap * (lengths.length - 1);
}

/** Rows that are not full stand in the middle. */
function place(
  widths: readonly (readonly number[])[],
  heights: readonly number[],
  sheetWidth: number,
): readonly Box[] {
  let top = 0;
  return widths.flatMap((row, at) => {
    const height = heights[at] ?? 1;
    let left = Math.floor((sheetWidth - total(row)) / 2);
    const cells = row.map((width) => {
      const cell = { left, top, width, height };
      left += width + gap;
      return cell;
    });
    top += height + gap;
    return cells;
  });
}
