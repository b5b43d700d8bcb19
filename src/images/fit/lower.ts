/** How one attempt is written: quality 1 to 100, and sides against those of the first attempt. */
export interface Effort {
  readonly q: number;
  readonly scale: number;
}

/** First quality, the one for sources so detailed that the first would come out too large, and what is left later. */
export const quality = { usual: 90, detailed: 85, shrunk: 80, least: 40 } as const;

/** A file is encoded at most so many times. */
export const maxEncodes = 3;

/** Aim a little below the limit, because the prediction errs by a few percent. */
export const aim = 0.967;

/** Bytes of a JPEG fall by a factor e with so many steps of quality; measured on photos. */
export const qualityPerE = 22;

const lastStep = 5;
const nearlyFits = 1.15;

/**
 * What to try after `encodes` attempts whose last came out `over` times too large. Quality is corrected by what came
 * out; pixels go only when no quality worth having is left.
 */
export function lower({ q, scale }: Effort, over: number, encodes: number): Effort {
  // The last attempt has to fit: bytes shrink a little slower than predicted in noisy pictures.
  const isLast = encodes === maxEncodes - 1;
  const corrected = Math.floor(q - qualityPerE * Math.log(over)) - (isLast ? lastStep : 0);
  if (corrected >= quality.least && !(isLast && over > nearlyFits)) return { q: corrected, scale };
  const margin = isLast ? 0.8 : 0.9;
  return { q: Math.min(q, quality.shrunk), scale: scale * Math.sqrt(1 / over) * margin };
}
