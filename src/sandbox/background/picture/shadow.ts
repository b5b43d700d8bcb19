import type { CutoutShadow } from "../request/job.ts";
import type { CutPicture, PixelBox } from "./cutout.ts";

/** How a subject casts its shadow; all lengths are shares of its height. */
interface ShadowShape {
  /** Height of the shadow beside the subject's: 1 is a wall behind it, little is the ground before it. */
  readonly squash: number;
  /** How far its top leans to the right. */
  readonly lean: number;
  readonly down: number;
  readonly aside: number;
  /** Radius of its soft edge. */
  readonly blur: number;
}

const throws = {
  drop: { squash: 1, lean: 0, down: 0.05, aside: 0.04, blur: 0.04 },
  "3D": { squash: 0.3, lean: 0.4, down: 0.02, aside: 0, blur: 0.03 },
  car: { squash: 0.14, lean: 0, down: 0.04, aside: 0, blur: 0.04 },
} as const satisfies Record<CutoutShadow["kind"], ShadowShape>;

/** Cells of the coarse map's longer side. A map of one size makes shadows alike at every resolution. */
const finest = 320;

/** What the shadow of a subject can cover. */
export function shadowBounds(subject: PixelBox, kind: CutoutShadow["kind"]): PixelBox {
  const { squash, lean, down, aside, blur } = throws[kind];
  const unit = subject.height;
  const soft = Math.ceil(blur * unit) + 1;
  const foot = subject.top + unit + down * unit;
  const left = Math.floor(subject.left + aside * unit) - soft;
  const right = Math.ceil(subject.left + subject.width + (aside + lean) * unit) + soft;
  const top = Math.floor(foot - squash * unit) - soft;
  return { left, top, width: right - left, height: Math.ceil(foot) + soft - top };
}

/** Draws the shadow below the subject, in place: black where it falls, up to the edge of the canvas. */
export function castShadow(
  cutout: CutPicture,
  subject: PixelBox,
  { kind, opacity }: CutoutShadow,
): void {
  const reach = shadowBounds(subject, kind);
  const cell = Math.max(1, Math.max(reach.width, reach.height) / finest);
  const columns = Math.ceil(reach.width / cell) + 1;
  const rows = Math.ceil(reach.height / cell) + 1;
  const map = project(cutout, subject, { kind, reach, cell, columns, rows });
  soften(map, columns, (throws[kind].blur * subject.height) / cell);
  lay(cutout, reach, { map, columns, cell, opacity });
}

interface ShadowGrid {
  readonly kind: CutoutShadow["kind"];
  readonly reach: PixelBox;
  /** Pixels a cell. */
  readonly cell: number;
  readonly columns: number;
  readonly rows: number;
}

/** The matte as the light throws it, one value from 0 to 1 a cell. */
function project(
  { width, alpha }: CutPicture,
  subject: PixelBox,
  { kind, reach, cell, columns, rows }: ShadowGrid,
): Float32Array {
  const { squash, lean, down, aside } = throws[kind];
  const unit = subject.height;
  const base = subject.top + unit;
  const map = new Float32Array(columns * rows);
  for (let row = 0; row < rows; row++) {
    const above = (base + down * unit - (reach.top + row * cell)) / squash;
    const y = Math.floor(base - above);
    if (above <= 0 || y < subject.top) continue;
    for (let column = 0; column < columns; column++) {
      const x = Math.floor(reach.left + column * cell - aside * unit - lean * above);
      if (x < subject.left || x >= subject.left + subject.width) continue;
      map[row * columns + column] = (alpha[y * width + x] ?? 0) / 255;
    }
  }
  return map;
}

/** Three box blurs come close to a Gaussian one; together they reach `radius` cells. */
function soften(map: Float32Array, columns: number, radius: number): void {
  const rows = map.length / columns;
  const reach = Math.max(1, Math.floor(radius / 3));
  const line = new Float32Array(Math.max(rows, columns));
  for (let pass = 0; pass < 3; pass++) {
    for (let row = 0; row < rows; row++) {
      average(map, line, { reach, from: row * columns, step: 1, count: columns });
    }
    for (let column = 0; column < columns; column++) {
      average(map, line, { reach, from: column, step: columns, count: rows });
    }
  }
}

interface BlurLine {
  readonly reach: number;
  readonly from: number;
  readonly step: number;
  readonly count: number;
}

/** Replaces each value of a line by the mean of those up to `reach` away; beyond its ends all is zero. */
function average(
  map: Float32Array,
  line: Float32Array,
  { reach, from, step, count }: BlurLine,
): void {
  let sum = 0;
  for (let i = 0; i < count + reach; i++) {
    if (i < count) {
      line[i] = map[from + i * step] ?? 0;
      sum += line[i] ?? 0;
    }
    if (i - 2 * reach - 1 >= 0) sum -= line[i - 2 * reach - 1] ?? 0;
    if (i >= reach) map[from + (i - reach) * step] = sum / (2 * reach + 1);
  }
}

interface ShadowMap {
  readonly map: Float32Array;
  readonly columns: number;
  readonly cell: number;
  readonly opacity: number;
}

/** Puts the map below the subject, smooth between its cells. */
function lay(
  { width, height, color, alpha }: CutPicture,
  reach: PixelBox,
  coarse: ShadowMap,
): void {
  const { map, columns, cell, opacity } = coarse;
  const bottom = Math.min(height, reach.top + reach.height);
  const right = Math.min(width, reach.left + reach.width);
  for (let y = Math.max(0, reach.top); y < bottom; y++) {
    const row = (y - reach.top) / cell;
    const above = Math.floor(row) * columns;
    const low = row - Math.floor(row);
    for (let x = Math.max(0, reach.left); x < right; x++) {
      const i = y * width + x;
      const own = alpha[i] ?? 0;
      if (own === 255) continue;
      const column = (x - reach.left) / cell;
      const at = above + Math.floor(column);
      const aside = column - Math.floor(column);
      const upper = (map[at] ?? 0) * (1 - aside) + (map[at + 1] ?? 0) * aside;
      const lower = (map[at + columns] ?? 0) * (1 - aside) + (map[at + columns + 1] ?? 0) * aside;
      const total = own + (255 - own) * (upper * (1 - low) + lower * low) * opacity;
      if (total < 0.5) continue;
      for (let c = 0; c < 3; c++) color[i * 3 + c] = ((color[i * 3 + c] ?? 0) * own) / total;
      alpha[i] = Math.round(total);
    }
  }
}
