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
import { count, fields, list, matching, type Shape, snowflake } from "../wire/shape.ts";
import { openShard, type ShardDeps } from "./open-shard.ts";

export interface GatewayDeps extends Pick<ShardDeps, "now" | "random" | "wait"> {
  readonly token: string;
  readonly rest: REST;
  readonly log: Log;
  /** A raw interaction, not looked at yet. */
  readonly onInteraction: (interaction: unknown) => void;
  /** A shard has a new session, and the servers in it are known. */
  readonly onServers: () => void;
}

export interface Gateway {
  readonly applicationId: string;
  readonly botId: string;
  /** Servers that this process's connections have, unavailable ones among them. */
  guildIds(): ReadonlySet<string>;
  /** Whether one of this process's connections has that server. */
  owns(guildId: string): boolean;
  /** Whether every connection is up. */
  isConnected(): boolean;
  /** Of the last heartbeat; undefined before the first. */
  pingMs(): number | undefined;
  /** Resolves when the platform takes the bot no more, with what to tell the operator. */
  readonly ended: Promise<BotError>;
  close(): Promise<void>;
}

/** Logins are counted by the day. */
const dayMs = 86_400_000;

const infoShape: Shape = fields({
  url: matching(/^wss?:\/\/[^\s]+$/u),
  shards: count,
  session_start_limit: fields({ remaining: count, reset_after: count, max_concurrency: count }),
});

const readyShape: Shape = fields({
  user: fields({ id: snowflake }),
  application: fields({ id: snowflake }),
  guilds: list(fields({ id: snowflake })),
});

/**
 * Connects without any intent, with as many connections as the platform recommends: beyond 2,500 servers one is refused. Packets
 * come raw: of a library's own structures for them none is made, so that none can fail.
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
        servers.set(
          id,
          ready.guilds.map((guild) => guild.id),
        );
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
  const info: unknown = await rest.get(Routes.gatewayBot());
  const fault = infoShape(info);
  if (fault !== undefined) {
    throw new ConfigError(
      `what answers at DISCORD_API_URL is not Discord's API: ${fault} of /gateway/bot is missing`,
      {
        code: "gateway_unknown",
        hint: "Correct DISCORD_API_URL, or remove it: Discord's own address is the usual one.",
      },
    );
  }
  const told = info as APIGatewayBotInfo;
  const { remaining, reset_after: resetMs } = told.session_start_limit;
  if (remaining >= told.shards) return { ...told, shards: Math.max(1, told.shards) };
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
