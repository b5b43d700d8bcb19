import { isIP } from "node:net";
import { DefaultWebSocketManagerOptions, type FetchingStrategyOptions } from "@discordjs/ws";
import type { APIGatewayBotInfo, REST } from "discord.js";
import { GatewayDispatchEvents, Routes } from "discord-api-types/v10";
import { waitUnlessAborted } from "../../clock.ts";
import { type BotError, ConfigError } from "../../errors.ts";
import type { GatewaySessions, IdentifyTurn } from "../../store/index.ts";
import { notDiscord } from "../wire/application.ts";
import {
  countShape,
  objectShape,
  patternShape,
  type ShapeCheck,
  textShape,
} from "../wire/shape.ts";
import { type DiscordWaitDeps, waitForDiscord } from "../wire/wait-for-discord.ts";
import { createIdentifyThrottler } from "./identify-throttler.ts";
import { openShard } from "./open-shard.ts";
import { createSessionSaver } from "./session-saver.ts";

export interface GatewayDeps extends DiscordWaitDeps {
  readonly token: string;
  readonly rest: REST;
  /** The connections of this process; all of them when undefined. */
  readonly shards: readonly number[] | undefined;
  /** How many connections all processes have together; as many as Discord recommends when undefined. */
  readonly shardCount: number | undefined;
  readonly sessions: GatewaySessions;
  readonly identifyTurn: IdentifyTurn;
  /** Called with each raw interaction, which is not checked yet. */
  readonly onInteraction: (interaction: unknown) => void;
}

export interface Gateway {
  /** Whether every connection of this process is up. */
  isConnected(): boolean;
  /** Of the last heartbeat; undefined before the first. */
  pingMs(): number | undefined;
  /** Servers of this process's connections, as each had them when it logged in; undefined before the first. */
  servers(): number | undefined;
  /** Resolves when Discord no longer accepts the bot, with an error for the operator. */
  readonly ended: Promise<BotError>;
  /** Leaves the sessions to the process that follows. */
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

/** What the library keeps of it, for resuming. The list of servers is long, and nothing reads it. */
const readyShape: ShapeCheck = objectShape({
  session_id: textShape,
  resume_gateway_url: patternShape(/^wss?:\/\/[^\s]+$/u),
});

/** At a crash this much is received twice, which does no harm. */
const saveMs = 10_000;

/**
 * Connects without any intent; resolves when the first connection is up. The others follow, at the pace that Discord sets.
 * Packets stay raw, so that no structure of a library can fail on them. Waits for as long as Discord is away.
 * @throws ConfigError for what a person has to change; the signal's reason.
 */
export async function openGateway(deps: GatewayDeps): Promise<Gateway> {
  const { log, signal } = deps;
  const { info, shardCount, shardIds } = await waitForDiscord((asking) => plan(deps, asking), {
    ...deps,
    what: "the login",
  });
  const saver = createSessionSaver(deps);
  const taken = new Map(
    [...(await saver.take(shardCount, shardIds))].filter(([, { resumeURL }]) =>
      isOfGateway(resumeURL, info.url),
    ),
  );
  const { max_concurrency: maxConcurrency } = info.session_start_limit;
  log.info("gateway connects", { shards: shardIds.length, shardCount, resumed: taken.size });
  const options: FetchingStrategyOptions = {
    ...DefaultWebSocketManagerOptions,
    token: deps.token,
    intents: 0,
    gatewayInformation: info,
    shardCount,
  };
  const throttler = createIdentifyThrottler(maxConcurrency, deps);
  const servers = new Map<number, number>();
  const up = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<BotError>();

  const shards = shardIds.map((id) =>
    openShard(id, {
      ...deps,
      options,
      throttler,
      sessions: saver,
      session: taken.get(id),
      onReady(data) {
        const malformed = readyShape(data);
        const { guilds } = Object(data) as { readonly guilds?: unknown };
        if (malformed === undefined) servers.set(id, Array.isArray(guilds) ? guilds.length : 0);
        else log.warn("a malformed READY is dropped", { shard: id, at: malformed });
        return malformed === undefined;
      },
      onUp: up.resolve,
      onEvent(name, data) {
        if (name === GatewayDispatchEvents.InteractionCreate) deps.onInteraction(data);
      },
      onEnd: ended.resolve,
    }),
  );
  const saving = setInterval(() => void saver.save(), saveMs).unref();
  const close = async () => {
    clearInterval(saving);
    await Promise.allSettled(shards.map((shard) => shard.close()));
    await saver.release();
  };
  for (const shard of shards) shard.open();
  try {
    const error = await waitUnlessAborted(Promise.race([up.promise, ended.promise]), signal);
    if (error !== undefined) throw error;
  } catch (error) {
    await close();
    throw error;
  }
  return {
    isConnected: () => shards.every((shard) => shard.isConnected()),
    pingMs() {
      const pings = shards.flatMap((shard) => shard.pingMs() ?? []);
      return pings.length === 0 ? undefined : sum(pings) / pings.length;
    },
    servers: () => (servers.size === 0 ? undefined : sum([...servers.values()])),
    ended: ended.promise,
    close,
  };
}

interface ConnectionPlan {
  readonly info: APIGatewayBotInfo;
  readonly shardCount: number;
  readonly shardIds: readonly number[];
}

/** Which connections this process opens, once as many logins are left. */
async function plan(deps: GatewayDeps, signal: AbortSignal): Promise<ConnectionPlan> {
  const answer: unknown = await deps.rest.get(Routes.gatewayBot(), { signal });
  const malformed = infoShape(answer);
  if (malformed !== undefined) throw notDiscord(`${malformed} of /gateway/bot`);
  const info = answer as APIGatewayBotInfo;
  const shardCount = deps.shardCount ?? Math.max(1, info.shards);
  const shardIds = deps.shards ?? Array.from({ length: shardCount }, (_, id) => id);
  const { remaining, reset_after: resetMs } = info.session_start_limit;
  if (remaining >= shardIds.length) return { info, shardCount, shardIds };
  const retryAt = new Date(deps.now() + Math.min(resetMs, dayMs));
  throw new ConfigError(
    `Discord lets the bot log in again at ${retryAt.toISOString()}: ${shardIds.length} connections need a login each, and ${remaining} are left`,
    {
      code: "logins_spent",
      hint: "Find out what starts the bot again and again: Discord allows 1,000 logins a day.",
      facts: { mayPass: true },
    },
  );
}

/** Whoever can write to the database must not learn the token: it is sent only to the gateway's own domain. */
function isOfGateway(resumeUrl: string, gatewayUrl: string): boolean {
  const [resumed, own] = [URL.parse(resumeUrl), URL.parse(gatewayUrl)];
  if (resumed === null || own === null || resumed.protocol !== own.protocol) return false;
  if (resumed.host === own.host) return true;
  const domain = own.hostname.split(".").slice(-2).join(".");
  return isIP(own.hostname) === 0 && resumed.hostname.endsWith(`.${domain}`);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
