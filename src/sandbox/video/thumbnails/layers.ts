/** How much of a layer covers the point, 0 to 1. Points are in picture heights from the top left corner. */
export type Cover = (x: number, y: number) => number;

export interface Layer {
  readonly color: readonly [number, number, number];
  readonly cover: Cover;
}

/** A soft step over one or two pixels, so that edges look smooth. */
function within(distance: number, soft: number): number {
  return Math.min(1, Math.max(0, 0.5 - distance / soft));
}

export function disc(
  { x: cx, y: cy, radius }: { x: number; y: number; radius: number },
  opacity: number,
  soft: number,
): Cover {
  return (x, y) => opacity * within(Math.sqrt((x - cx) ** 2 + (y - cy) ** 2) - radius, soft);
}

/** Everything below a wave. */
export function hill(
  { level, swing, pace, phase }: { level: number; swing: number; pace: number; phase: number },
  soft: number,
): Cover {
  return (x, y) => within(level + swing * Math.sin(x * pace + phase) - y, soft);
}

/** Slanted stripes. */
export function stripes(
  { width, slant, phase }: { width: number; slant: number; phase: number },
  opacity: number,
  soft: number,
): Cover {
  return (x, y) => {
    const along = ((((x + y * slant + phase) / width) % 2) + 2) % 2;
    return opacity * within((Math.abs(along - 1) - 0.5) * width, soft);
  };
}

/** The triangle of a play mark, pointing right. */
export function triangle(
  { x: cx, y: cy, radius }: { x: number; y: number; radius: number },
  soft: number,
): Cover {
  return (x, y) => {
    const [dx, dy] = [x - cx, Math.abs(y - cy)];
    const slope = dx * 0.5 + dy * 0.866 - radius * 0.5;
    return within(Math.max(-radius * 0.5 - dx, slope), soft);
  };
}

/** A cell pattern, the same on the left and on the right. */
export function mosaic(cells: readonly boolean[], soft: number): Cover {
  return (x, y) => {
    const [u, v] = [(x - 0.2) / 0.12, (y - 0.2) / 0.12];
    if (u < 0 || v < 0 || u >= 5 || v >= 5) return 0;
    const column = Math.floor(u) > 2 ? 4 - Math.floor(u) : Math.floor(u);
    const inset = Math.max(Math.abs((u % 1) - 0.5), Math.abs((v % 1) - 0.5)) - 0.46;
    return cells[Math.floor(v) * 3 + column] === true ? within(inset * 0.12, soft) : 0;
  };
}
