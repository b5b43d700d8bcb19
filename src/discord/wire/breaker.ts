/** What discord.js tells about refused requests: how many in this window, and how much of it is left. */
export interface RefusedRequests {
  readonly count: number;
  readonly remainingTime: number;
}

/** Opens when so many requests were refused that the platform's ban comes near. */
export interface Breaker {
  note(refused: RefusedRequests): void;
  isOpen(): boolean;
}

/** The address is banned at 10,000 answers of 401, 403 and 429 within ten minutes (facts/discord.md: Invalid requests). */
const opensAt = 5000;

/** While it is open nothing new is begun: an interaction that goes unanswered costs less than a banned address. */
export function createBreaker(now: () => number): Breaker {
  let openUntil = 0;
  return {
    note: ({ count, remainingTime }) => {
      if (count >= opensAt) openUntil = now() + remainingTime;
    },
    isOpen: () => now() < openUntil,
  };
}
