import { GatewayCloseCodes } from "discord-api-types/v10";
import { type BotError, ConfigError } from "../../errors.ts";
import { tokenRefused } from "../wire/start-error.ts";

/** How a connection ended. */
export interface GatewayClose {
  readonly code: number;
  /** In Discord's words, or what went wrong before Discord could send any. */
  readonly reason: string;
}

const { AuthenticationFailed, InvalidAPIVersion, InvalidIntents, DisallowedIntents } =
  GatewayCloseCodes;
const { InvalidShard, ShardingRequired } = GatewayCloseCodes;

export const closeNames: Readonly<Record<number, string>> = {
  1000: "Closed",
  1006: "No connection",
  4200: "Closed by the bot",
  ...GatewayCloseCodes,
};

const programCodes: ReadonlySet<number> = new Set([
  InvalidAPIVersion,
  InvalidIntents,
  DisallowedIntents,
]);

/**
 * The error for a close after which no connection can succeed; undefined for the others
 * (https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes).
 */
export function finalCloseError(
  { code, reason }: GatewayClose,
  shardCount: number | undefined,
): BotError | undefined {
  if (code === AuthenticationFailed) return tokenRefused();
  const message = `Discord's gateway closed the connection for good: ${code} ${reason}`;
  if (programCodes.has(code)) {
    return new ConfigError(message, {
      code: "gateway_refused",
      hint: "Discord no longer takes what this version asks for: update Greenroom.",
    });
  }
  const hint = shardHints[code];
  if (hint === undefined) return undefined;
  const isOurChoice = shardCount !== undefined;
  return new ConfigError(message, {
    code: "gateway_shards",
    hint: isOurChoice
      ? hint(shardCount)
      : "Start the bot again: it asks Discord how many connections it needs.",
    facts: { mayPass: !isOurChoice },
  });
}

/** For a number of shards that the operator has set. */
const shardHints: Readonly<Record<number, (shardCount: number) => string>> = {
  [InvalidShard]: (count) =>
    `Correct SHARDS and SHARD_COUNT: with SHARD_COUNT=${count} allowed are shards 0 to ${count - 1}, and all processes need the same SHARD_COUNT.`,
  [ShardingRequired]: (count) =>
    `SHARD_COUNT=${count} is too small: Discord allows 2,500 servers a shard. Set a greater one for all processes, or remove SHARD_COUNT and SHARDS.`,
};
