import {
  type APIInteraction,
  Client,
  Events,
  GatewayDispatchEvents,
  Options,
  RESTEvents,
  Status,
} from "discord.js";
import type { Desk } from "../desk.ts";
import { ConfigError } from "../errors.ts";
import type { Log } from "../log.ts";
import { createExpressions, createOnceRest } from "./access/expressions/create.ts";
import { createGuildRolesCache } from "./access/roles/guild-roles-cache.ts";
import { readGuildRoles } from "./access/roles/read-guild-roles.ts";
import { type Catalogue, define } from "./declare/definitions.ts";
import { routesOf } from "./declare/routes.ts";
import type { Services } from "./run/context.ts";
import { createDesk } from "./run/desk.ts";
import { createDispatch, type Dispatch } from "./run/dispatch.ts";
import { formAgain } from "./run/form-again.ts";
import { createJobs } from "./run/jobs.ts";
import { createPlaces } from "./run/places.ts";
import { createTell, type Tell } from "./run/tell.ts";
import { createCallbackRest } from "./wire/acknowledge.ts";
import { createBreaker } from "./wire/breaker.ts";
import { reconcileGuilds } from "./wire/guilds.ts";
import { inviteLink } from "./wire/invite.ts";
import { createDeskRest } from "./wire/post.ts";
import { registerCommands } from "./wire/register.ts";

export interface ConnectParts {
  readonly token: string;
  /** Base address without version, e.g. `https://discord.com/api`. */
  readonly apiUrl: string;
  /** Called once the connection stands: nobody can ask for a command before, and the rest need not wait for them. */
  readonly loadCatalogue: () => Promise<Catalogue>;
  readonly services: Services;
}

export interface Discord {
  readonly applicationId: string;
  /** Resolves when the interaction of this id has been dealt with; at once for ids that are not under way. */
  settled(interactionId: string): Promise<void>;
  /** Holds what is stored against the guilds that are there; answers the ids whose records were erased. */
  reconcile(): Promise<readonly string[]>;
  /** Says what happened, as the event of that name wants it said. */
  readonly tell: Tell;
  /** Leaves messages in channels, finds them again and changes them. */
  readonly desk: Desk;
  /** Whether one of this process's connections has that guild. */
  owns(guildId: string): boolean;
  /** How the connection stands at this moment. */
  state(): DiscordState;
  /** Takes no more interactions, waits for the running ones, then aborts them. */
  close(drainMs: number): Promise<void>;
}

export interface DiscordState {
  /** Whether every connection of this process is up. */
  readonly isConnected: boolean;
  /** Of the last heartbeat; undefined before the first. */
  readonly pingMs: number | undefined;
  /** Servers that this process's connections have. */
  readonly guilds: number;
  /** Whether nothing new is begun, because the platform refused too many requests. */
  readonly isHeld: boolean;
  /** Interactions that are worked on. */
  readonly underWay: number;
}

/** Uploads of results take longer than the library's 15 s (facts/discord.md: REST defaults). */
const sendTimeoutMs = 120_000;
const reconcileMs = 6 * 3_600_000;
/** Every so many refused requests the breaker is told. */
const invalidRequestWarningInterval = 500;

/**
 * Logs in without any intent, registers the commands and dispatches interactions until closed.
 * @throws ConfigError `token_refused`; whatever the platform's gateway answers otherwise.
 */
export async function connectDiscord(parts: ConnectParts): Promise<Discord> {
  const { services } = parts;
  const { log, now } = services;
  const rest = { api: parts.apiUrl, version: "10" as const };
  const client = new Client({
    intents: [],
    // As many connections as the platform recommends: beyond 2,500 servers one is refused.
    shards: "auto",
    // Nothing is ever looked up there; discord.js would keep every user it meets.
    makeCache: Options.cacheWithLimits({
      UserManager: 0,
      GuildMemberManager: 0,
      MessageManager: 0,
    }),
    rest: { ...rest, timeout: sendTimeoutMs, invalidRequestWarningInterval },
    enforceNonce: true,
  });
  const callbackRest = createCallbackRest({ ...rest, invalidRequestWarningInterval });
  const onceRest = createOnceRest({ ...rest, invalidRequestWarningInterval }).setToken(parts.token);
  const deskRest = createDeskRest({ ...rest, invalidRequestWarningInterval }).setToken(parts.token);
  // Whether somebody may do a thing has to be known in a second, or not at all: nothing is sent again behind our back.
  const rolesRest = createCallbackRest({ ...rest, invalidRequestWarningInterval }).setToken(
    parts.token,
  );
  const breaker = createBreaker(now);
  watch(client, log);
  for (const sender of [client.rest, callbackRest, onceRest, deskRest, rolesRest]) {
    sender.on(RESTEvents.InvalidRequestWarning, (refused) => {
      breaker.note(refused);
      log.error("many requests are refused", { count: refused.count, isHeld: breaker.isOpen() });
    });
  }

  const jobs = createJobs();
  const underWay = new Map<string, Promise<void>>();
  const ready = Promise.withResolvers<Dispatch>();
  let isClosing = false;
  client.ws.on(GatewayDispatchEvents.InteractionCreate, (interaction: APIInteraction) => {
    if (isClosing || breaker.isOpen()) return;
    const arrivedAt = now();
    const work = ready.promise
      .then((dispatch) => dispatch(interaction, arrivedAt))
      .finally(() => underWay.delete(interaction.id));
    underWay.set(interaction.id, work);
  });

  await login(client, parts.token);
  const applicationId = client.application?.id;
  if (applicationId === undefined) throw new TypeError("logged in without an application");
  log.info("connected", { application: applicationId, guilds: client.guilds.cache.size });
  const catalogue = await parts.loadCatalogue().catch(async (error: unknown) => {
    await client.destroy();
    throw error;
  });
  const routes = routesOf(catalogue, [formAgain]);
  const create = createExpressions({
    rest: onceRest,
    botId: client.user?.id ?? applicationId,
    now,
  });
  const guildRoles = createGuildRolesCache({
    read: (guildId) => readGuildRoles(guildId, { rest: rolesRest, random: services.random }),
    now,
  });
  ready.resolve(
    createDispatch({ routes, services, callbackRest, rest: client.rest, jobs, create, guildRoles }),
  );
  const changed = await registerCommands(
    client.rest,
    applicationId,
    define(catalogue, services.languages),
  );
  log.info("commands are registered", { changed, invite: inviteLink(applicationId) });

  const botId = client.user?.id ?? applicationId;
  const say = createTell({ routes, services, rest: client.rest, botId });
  const saying = new Set<Promise<unknown>>();
  const tell: Tell = (happening) => {
    const said = say(happening).finally(() => saying.delete(said));
    saying.add(said);
    return said;
  };

  const owns = (guildId: string) => ownShards(client).has(shardOf(guildId, client));
  const reconcile = () =>
    reconcileGuilds({
      rest: client.rest,
      guilds: services.store.guilds,
      log,
      present: new Set(client.guilds.cache.keys()),
      isOurs: owns,
    });
  const reconcileQuietly = () =>
    void reconcile().catch((error) => log.warn("guilds were not reconciled", { error }));
  client.on(Events.ShardReady, reconcileQuietly);
  const timer = setInterval(reconcileQuietly, reconcileMs);
  timer.unref();
  reconcileQuietly();

  return {
    applicationId,
    settled: (interactionId) => underWay.get(interactionId) ?? Promise.resolve(),
    reconcile,
    tell,
    desk: createDesk({
      ...{ routes, services, rest: deskRest, botId },
      places: createPlaces(deskRest, now),
    }),
    owns,
    state: () => ({
      ...gatewayOf(client),
      isHeld: breaker.isOpen(),
      underWay: underWay.size,
    }),
    async close(drainMs) {
      clearInterval(timer);
      isClosing = true;
      await jobs.drain(drainMs);
      await Promise.allSettled([...underWay.values(), ...saying]);
      client.removeAllListeners(Events.ShardReconnecting);
      await client.destroy();
    },
  };
}

async function login(client: Client, token: string): Promise<void> {
  const ready = new Promise<void>((resolve) => client.once(Events.ClientReady, () => resolve()));
  try {
    await client.login(token);
  } catch (error) {
    await client.destroy();
    if ((error as { code?: unknown }).code !== "TokenInvalid") throw error;
    throw new ConfigError("DISCORD_TOKEN was refused by the platform", {
      code: "token_refused",
      hint: "Copy the bot's token again from the developer portal into DISCORD_TOKEN.",
    });
  }
  await ready;
}

function watch(client: Client, log: Log): void {
  client.on(Events.Warn, (message) => log.warn("discord.js", { message }));
  client.on(Events.Error, (error) => log.error("discord.js", { error }));
  client.on(Events.ShardError, (error, shard) => log.warn("gateway", { shard, error }));
  client.on(Events.ShardDisconnect, ({ code }, shard) =>
    log.error("gateway is closed for good", { shard, code }),
  );
  client.on(Events.ShardReconnecting, (shard) => log.info("gateway reconnects", { shard }));
  client.rest.on(RESTEvents.RateLimited, (info) =>
    log.debug("rate limited", { route: info.route, waitMs: info.timeToReset }),
  );
}

function gatewayOf(client: Client): Pick<DiscordState, "isConnected" | "pingMs" | "guilds"> {
  const { shards, ping } = client.ws;
  return {
    isConnected: shards.size > 0 && shards.every(({ status }) => status === Status.Ready),
    // -1 before the first heartbeat.
    pingMs: ping >= 0 ? ping : undefined,
    guilds: client.guilds.cache.size,
  };
}

function ownShards(client: Client): ReadonlySet<number> {
  return new Set(client.ws.shards.keys());
}

/** facts/discord.md: Sharding. */
function shardOf(guildId: string, client: Client): number {
  return Number((BigInt(guildId) >> 22n) % BigInt(client.options.shardCount ?? 1));
}
