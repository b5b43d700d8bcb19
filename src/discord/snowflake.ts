/** https://docs.discord.com/developers/reference#snowflakes */
const discordEpoch = 1_420_070_400_000;

/** When something was made, which its id tells. Milliseconds since the epoch. */
export function madeAt(id: string): number {
  return Number(BigInt(id) >> 22n) + discordEpoch;
}
