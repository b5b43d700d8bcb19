// https://docs.discord.com/developers/reference#snowflakes
const epoch = 1_420_070_400_000;

/** Ids in Discord's form: time above, a counter below, so that they sort by age. */
export function createSnowflakes(now: () => number): () => string {
  let last = 0n;
  return () => {
    const fresh = BigInt(Math.max(0, now() - epoch)) << 22n;
    last = fresh > last ? fresh : last + 1n;
    return String(last);
  };
}
