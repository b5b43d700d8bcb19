import type { InvalidRequestWarningData } from "discord.js";

/** Half of what bans the address: docs/services/discord.md#invalid-requests */
const opensAt = 5000;

/**
 * Opens when so many requests were refused that a ban by Discord is near. While it is open, nothing new is started: an
 * unanswered interaction costs less than a banned address.
 */
export function createBreaker(now: () => number) {
  let openUntil = 0;
  return {
    note: ({ count, remainingTime }: InvalidRequestWarningData): void => {
      if (count >= opensAt) openUntil = now() + remainingTime;
    },
    isOpen: (): boolean => now() < openUntil,
  };
}
