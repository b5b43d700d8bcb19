/** https://docs.discord.com/developers/reference#snowflakes */
const discordEpoch = 1_420_070_400_000;

/** When something was created, read from its id. Milliseconds since the epoch. */
export function createdAt(id: string): number {
  return Number(BigInt(id) >> 22n) + discordEpoch;
}
