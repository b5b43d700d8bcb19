import { type Balance, createBalance } from "./balance.ts";
import { createPacer, type Pacer, type PacerOptions } from "./pace/pacer.ts";

/** What one API key may do, for all clients that use it: its megapixels a minute, and its credits. */
export interface Allowance {
  readonly pacer: Pacer;
  readonly balance: Balance;
}

/** One for each API key. */
export function createAllowance(options: PacerOptions = {}): Allowance {
  return { pacer: createPacer(options), balance: createBalance(options.now ?? Date.now) };
}
