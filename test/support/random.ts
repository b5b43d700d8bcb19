/** The seed of a run: SEED in the environment repeats one. */
export const seed = Number(process.env.SEED ?? 20_261_121);

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function seeded(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
