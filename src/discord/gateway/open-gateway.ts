import {
  DefaultWebSocketManagerOptions,
  type FetchingStrategyOptions,
  SimpleIdentifyThrottler,
} from "@discordjs/ws";
import {
  type APIGatewayBotInfo,
  GatewayDispatchEvents,
  type GatewayReadyDispatchData,
  type REST,
  Routes,
} from "discord.js";
import { type BotError, ConfigError } from "../../errors.ts";
import type { Log } from "../../log.ts";
import {
  countShape,
  listShape,
  objectShape,
  patternShape,
  type ShapeCheck,
  snowflakeShape,
} from "../wire/shape.ts";
import { openShard, type ShardDeps } from "./open-shard.ts";

export interface GatewayDeps extends Pick<ShardDeps, "now" | "random" | "wait"> {
  readonly token: string;
  readonly rest: REST;
  readonly log: Log;
  /** Called with each raw interaction, which is not checked yet. */
  readonly onInteraction: (interaction: unknown) => void;
  /** Called when a shard has a new session and its servers are known. */
  readonly onServers: () => void;
}

export interface Gateway {
  readonly applicationId: string;
  readonly botId: string;
  /** Servers that belong to this process's connections, including unavailable ones. */
  guildIds(): ReadonlySet<string>;
  /** Whether that server belongs to one of this process's connections. */
  owns(guildId: string): boolean;
  /** Whether every connection is up. */
  isConnected(): boolean;
  /** Of the last heartbeat; undefined before the first. */
  pingMs(): number | undefined;
  /** Resolves when Discord no longer accepts the bot, with an error for the operator. */
  readonly ended: Promise<BotError>;
  close(): Promise<void>;
}

/** Discord counts logins per day. */
const dayMs = 86_400_000;

const infoShape: ShapeCheck = objectShape({
  url: patternShape(/^wss?:\/\/[^\s]+$/u),
  shards: countShape,
  session_start_limit: objectShape({
    remaining: countShape,
    reset_after: countShape,
    max_concurrency: countShape,
  }),
});

const readyShape: ShapeCheck = objectShape({
  user: objectShape({ id: snowflakeShape }),
  application: objectShape({ id: snowflakeShape }),
  guilds: listShape(objectShape({ id: snowflakeShape })),
});

/**
 * Connects without any intent, with as many connections as Discord recommends: one alone is refused beyond 2,500 servers.
 * Packets stay raw, so that no structure of a library can fail on them.
 * @throws ConfigError, LimitError, NetworkError or ServiceError when there is no connection.
 */
export async function openGateway(deps: GatewayDeps): Promise<Gateway> {
  const { token, rest, log, now, random, wait } = deps;
  const info = await readInfo(rest, now);
  const options: FetchingStrategyOptions = {
    ...DefaultWebSocketManagerOptions,
    ...{ token, intents: 0, gatewayInformation: info, shardCount: info.shards },
  };
  const throttler = new SimpleIdentifyThrottler(
    Math.max(1, info.session_start_limit.max_concurrency),
  );
  const servers = new Map<number, readonly string[]>();
  const ids = Promise.withResolvers<Pick<Gateway, "applicationId" | "botId">>();
  const ended = Promise.withResolvers<BotError>();

  const shards = Array.from({ length: info.shards }, (_, id) =>
    openShard(id, {
      ...{ options, throttler, log, now, random, wait },
      onReady(data) {
        const fault = readyShape(data);
        if (fault !== undefined) {
          log.warn("a malformed READY is dropped", { shard: id, at: fault });
          return false;
        }
        const ready = data as GatewayReadyDispatchData;
        const guildIds = ready.guilds.map((guild) => guild.id);
        servers.set(id, guildIds);
        if (servers.size === info.shards) {
          ids.resolve({ applicationId: ready.application.id, botId: ready.user.id });
        }
        deps.onServers();
        return true;
      },
      onEvent(name, data) {
        if (name === GatewayDispatchEvents.InteractionCreate) deps.onInteraction(data);
      },
      onEnd: ended.resolve,
    }),
  );
  const close = async () => {
    await Promise.allSettled(shards.map((shard) => shard.close()));
  };
  for (const shard of shards) shard.open();
  const opened = await Promise.race([ids.promise, ended.promise]);
  if (opened instanceof Error) {
    await close();
    throw opened;
  }
  return {
    ...opened,
    guildIds: () => new Set([...servers.values()].flat()),
    owns: (guildId) => servers.has(shardOf(guildId, info.shards)),
    isConnected: () => shards.every((shard) => shard.isConnected()),
    pingMs: () => mean(shards.flatMap((shard) => shard.pingMs() ?? [])),
    ended: ended.promise,
    close,
  };
}

async function readInfo(rest: REST, now: () => number): Promise<APIGatewayBotInfo> {
  const answer: unknown = await rest.get(Routes.gatewayBot());
  const fault = infoShape(answer);
  if (fault !== undefined) {
    throw new ConfigError(
      `what answers at DISCORD_API_URL is not Discord's API: ${fault} of /gateway/bot is missing`,
      {
        code: "gateway_unknown",
        hint: "Correct DISCORD_API_URL, or remove it: Discord's own address is the usual one.",
      },
    );
  }
  const info = answer as APIGatewayBotInfo;
  const { remaining, reset_after: resetMs } = info.session_start_limit;
  if (remaining >= info.shards) return { ...info, shards: Math.max(1, info.shards) };
  const retryAt = new Date(now() + Math.min(resetMs, dayMs));
  throw new ConfigError(`Discord lets the bot log in again at ${retryAt.toISOString()}`, {
    code: "logins_spent",
    hint: "Find out what starts the bot again and again: Discord allows 1,000 logins a day.",
    facts: { mayPass: true },
  });
}

/** https://docs.discord.com/developers/events/gateway#sharding */
function shardOf(guildId: string, shards: number): number {
  return Number((BigInt(guildId) >> 22n) % BigInt(shards));
}

function mean(numbers: readonly number[]): number | undefined {
  if (numbers.length === 0) return undefined;
  return numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
}
