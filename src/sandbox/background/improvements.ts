import { randomUUID } from "node:crypto";
import { Refusal } from "./refusals.ts";
import type { Improvement } from "./tasks.ts";

const filesPerDay = 100;
const dayMs = 86_400_000;

/** A picture that was accepted, and what it is called from then on. */
export interface Improved extends Improvement {
  readonly id: string;
}

/** The pictures handed over by POST /improve, at most 100 a day (UTC); their bytes are not kept. */
export interface Improvements {
  /** The last hundred, oldest first. */
  readonly list: readonly Improved[];
  /** @throws Refusal 429 when this day's files are used up. */
  admit(): void;
  add(improvement: Improvement): Improved;
}

export function createImprovements(now: () => number): Improvements {
  const list: Improved[] = [];
  let today = { day: Number.NaN, count: 0 };

  function countToday(): number {
    const day = Math.floor(now() / dayMs);
    if (day !== today.day) today = { day, count: 0 };
    return today.count;
  }

  return {
    list,
    admit() {
      if (countToday() < filesPerDay) return;
      const seconds = Math.ceil((dayMs - (now() % dayMs)) / 1000);
      throw new Refusal(429, [{ title: "Rate limit exceeded" }], { "Retry-After": `${seconds}` });
    },
    add(improvement) {
      today.count = countToday() + 1;
      const improved = { id: randomUUID(), ...improvement };
      list.push(improved);
      if (list.length > filesPerDay) list.shift();
      return improved;
    },
  };
}
