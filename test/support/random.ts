/** The seed of this run. To repeat a run, set SEED in the environment. */
export const seed = Number(process.env.SEED ?? 20_261_121);

/** A generator of numbers from 0 to 1 that depend only on the seed (mulberry32). */
export function seeded(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
