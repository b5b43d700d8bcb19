import { hash } from "node:crypto";
import type { VideoState } from "./state.ts";

/** Small seeded generator (mulberry32): the same seed gives the same numbers. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** An id that looks like YouTube's and stays the same from start to start. */
export function stableId(name: string, length: number): string {
  return hash("sha256", name, "base64url").slice(0, length);
}

/** From 0 to 1, and for the same name the same from start to start. */
export function stableFraction(name: string): number {
  return Number.parseInt(hash("sha256", name, "hex").slice(0, 8), 16) / 2 ** 32;
}

/** A new id that looks like YouTube's: the same ones in the same order after every start. */
export function mintId(state: VideoState, kind: string, length: number): string {
  state.mintedIds += 1;
  return stableId(`${kind} ${state.mintedIds}`, length);
}
