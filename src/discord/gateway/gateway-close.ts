import { GatewayCloseCodes } from "discord.js";
import { type BotError, ConfigError } from "../../errors.ts";
import { tokenRefused } from "../wire/start-failure.ts";

/** How a connection ended. */
export interface GatewayClose {
  readonly code: number;
  /** In Discord's words, or what went wrong before Discord could send any. */
  readonly reason: string;
}

const { AuthenticationFailed, InvalidAPIVersion, InvalidIntents, DisallowedIntents } =
  GatewayCloseCodes;
const { InvalidShard, ShardingRequired } = GatewayCloseCodes;

const closeNames: Readonly<Record<number, string>> = {
  1000: "Closed",
  1006: "No connection",
  4200: "Closed by the bot",
  ...GatewayCloseCodes,
};

export function nameOfClose(code: number): string {
  return closeNames[code] ?? "Unknown";
}

const programCodes: ReadonlySet<number> = new Set([
  InvalidAPIVersion,
  InvalidIntents,
  DisallowedIntents,
]);
const shardCodes: ReadonlySet<number> = new Set([InvalidShard, ShardingRequired]);

/**
 * The error for a close after which no connection can succeed; undefined for the others
 * (https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes).
 */
export function finalCloseError({ code, reason }: GatewayClose): BotError | undefined {
  if (code === AuthenticationFailed) return tokenRefused();
  const message = `Discord's gateway closed the connection for good: ${code} ${reason}`;
  if (programCodes.has(code)) {
    return new ConfigError(message, {
      code: "gateway_refused",
      hint: "Discord no longer takes what this version asks for: update Greenroom.",
    });
  }
  if (!shardCodes.has(code)) return undefined;
  return new ConfigError(message, {
    code: "gateway_shards",
    hint: "Start the bot again: it asks Discord how many connections it needs.",
    facts: { mayPass: true },
  });
}

/** For a start that gets no connection at all. */
export function gatewayUnreachable({ code, reason }: GatewayClose): ConfigError {
  return new ConfigError(`Discord's gateway can't be reached: ${code} ${reason}`, {
    code: "gateway_unreachable",
    hint: "Check this machine's network and discordstatus.com, and start the bot again.",
    facts: { mayPass: true },
  });
}
