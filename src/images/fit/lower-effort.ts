/** How one attempt is encoded: quality from 1 to 100, and the length of its sides against those of the first attempt. */
export interface EncodingEffort {
  readonly q: number;
  readonly scale: number;
}

/**
 * `usual` comes first, or `detailed` for sources so detailed that `usual` would come out too large; `shrunk` goes with
 * fewer pixels.
 */
export const qualitySteps = { usual: 90, detailed: 85, shrunk: 80, least: 40 } as const;

/** How often a file is encoded at most. */
export const maxEncodes = 3;

/** Aim a little below the limit, because the prediction errs by a few percent. */
export const sizeGoalShare = 0.967;

/** With this many steps less of quality, the bytes of a JPEG fall by a factor of e; measured on photos. */
export const qualityPerE = 22;

const lastStep = 5;
const nearlyFits = 1.15;

/**
 * What to try after `encodes` attempts whose last came out `over` times too large. Quality is corrected by what came
 * out; pixels are given up only when no useful quality is left.
 */
export function lowerEffort(
  { q, scale }: EncodingEffort,
  over: number,
  encodes: number,
): EncodingEffort {
  // The last attempt has to fit: bytes shrink a little slower than predicted in noisy pictures.
  const isLast = encodes === maxEncodes - 1;
  const corrected = Math.floor(q - qualityPerE * Math.log(over)) - (isLast ? lastStep : 0);
  if (corrected >= qualitySteps.least && !(isLast && over > nearlyFits))
    return { q: corrected, scale };
  const margin = isLast ? 0.8 : 0.9;
  return { q: Math.min(q, qualitySteps.shrunk), scale: scale * Math.sqrt(1 / over) * margin };
}
