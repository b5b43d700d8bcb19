/** https://docs.discord.com/developers/reference#snowflakes */
const discordEpoch = 1_420_070_400_000;

/** When something was created, read from its id. Milliseconds since the epoch. */
export function createdAt(id: string): number {
  return Number(BigInt(id) >> 22n) + discordEpoch;
}

/** Ids that are further from our clock were made up, or it is of no use. */
const plausibleMs = 15 * 60_000;
const windowMs = 5 * 60_000;
/** A clock that moved this far against the time that passed was set. */
const clockStepMs = 500;

/**
 * Tells when Discord made what has an id, by our clock; the time of asking for ids without a plausible time. How far our clock is
 * from Discord's is the smallest difference of the last five to ten minutes, because nothing comes before it was sent. So
 * whatever comes first counts as new.
 */
export function createSentTimes(now: () => number): (id: string) => number {
  let [smallest, smallestBefore] = [Infinity, Infinity];
  let windowEndsAt = 0;
  let clockMs = now() - performance.now();
  return (id) => {
    const at = now();
    const differenceMs = at - createdAt(id);
    if (Math.abs(differenceMs) > plausibleMs) return at;
    const isSet = Math.abs(at - performance.now() - clockMs) > clockStepMs;
    clockMs = at - performance.now();
    if (isSet || at >= windowEndsAt) {
      smallestBefore = isSet || at >= windowEndsAt + windowMs ? Infinity : smallest;
      smallest = Infinity;
      windowEndsAt = at + windowMs;
    }
    smallest = Math.min(smallest, differenceMs);
    return at - differenceMs + Math.min(smallest, smallestBefore);
  };
}
