import { REST, RESTEvents } from "discord.js";
import type { Desk } from "../desk.ts";
import type { BotError } from "../errors.ts";
import { createExpressions, createOnceRest } from "./access/expressions/create.ts";
import { createGuildRolesCache } from "./access/roles/guild-roles-cache.ts";
import { readGuildRoles } from "./access/roles/read-guild-roles.ts";
import { type Catalogue, define } from "./declare/definitions.ts";
import { routesOf } from "./declare/routes.ts";
import { openGateway } from "./gateway/open-gateway.ts";
import type { Services } from "./run/context.ts";
import { createDesk } from "./run/desk.ts";
import { createDispatch, type Dispatch } from "./run/dispatch.ts";
import { formAgain } from "./run/form-again.ts";
import { createPlaces } from "./run/places.ts";
import { createReceive } from "./run/receive.ts";
import { createRunningHandlers } from "./run/running-handlers.ts";
import { createTell, type Tell } from "./run/tell.ts";
import { createCallbackRest } from "./wire/acknowledge.ts";
import { createBreaker } from "./wire/breaker.ts";
import { reconcileGuilds } from "./wire/guilds.ts";
import { inviteLink } from "./wire/invite.ts";
import { createDeskRest } from "./wire/post.ts";
import { registerCommands } from "./wire/register.ts";
import { startFailure } from "./wire/start-failure.ts";

export interface ConnectParts {
  readonly token: string;
  /** Base address without version, e.g. `https://discord.com/api`. */
  readonly apiUrl: string;
  /** Called once the connection stands: nobody can ask for a command before, and the rest need not wait for them. */
  readonly loadCatalogue: () => Promise<Catalogue>;
  readonly services: Services;
  /** Waits before the next connection to the gateway; a timer when absent. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface Discord {
  readonly applicationId: string;
  /** Resolves when the interaction of this id has been dealt with; at once for ids that are not under way. */
  settled(interactionId: string): Promise<void>;
  /** Says what happened, as the event of that name wants it said. */
  readonly tell: Tell;
  /** Leaves messages in channels, finds them again and changes them. */
  readonly desk: Desk;
  /** Whether one of this process's connections has that guild. */
  owns(guildId: string): boolean;
  /** How the connection stands at this moment. */
  state(): DiscordState;
  /** Resolves when the platform takes the bot no more, with what to tell the operator. */
  readonly ended: Promise<BotError>;
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
 * @throws BotError that tells the operator in a sentence why it can't; a ConfigError where another start would fail too.
 */
export async function connectDiscord(parts: ConnectParts): Promise<Discord> {
  const { services, token } = parts;
  const { log, now, random } = services;
  const shared = { api: parts.apiUrl, version: "10" as const, invalidRequestWarningInterval };
  const rest = new REST({ ...shared, timeout: sendTimeoutMs }).setToken(token);
  const callbackRest = createCallbackRest(shared);
  const onceRest = createOnceRest(shared).setToken(token);
  const deskRest = createDeskRest(shared).setToken(token);
  // Whether somebody may do a thing has to be known in a second, or not at all: nothing is sent again behind our back.
  const rolesRest = createCallbackRest(shared).setToken(token);
  const breaker = createBreaker(now);
  rest.on(RESTEvents.RateLimited, ({ route, timeToReset }) =>
    log.debug("rate limited", { route, waitMs: timeToReset }),
  );
  for (const sender of [rest, callbackRest, onceRest, deskRest, rolesRest]) {
    sender.on(RESTEvents.InvalidRequestWarning, (refused) => {
      breaker.note(refused);
      log.error("many requests are refused", { count: refused.count, isHeld: breaker.isOpen() });
    });
  }

  const running = createRunningHandlers();
  const ready = Promise.withResolvers<Dispatch>();
  const receive = createReceive({
    dispatch: ready.promise,
    mayBegin: () => !isClosing && !breaker.isOpen(),
    ...{ log, now },
  });
  let isClosing = false;
  let reconcileQuietly = () => {};
  const gateway = await openGateway({
    ...{ token, rest, log, now, random, wait: parts.wait },
    onInteraction: receive.take,
    onServers: () => reconcileQuietly(),
  }).catch((error: unknown) => {
    throw startFailure(error, "the login");
  });
  const { applicationId, botId } = gateway;
  log.info("connected", { application: applicationId, guilds: gateway.guildIds().size });
  const catalogue = await parts.loadCatalogue().catch(async (error: unknown) => {
    await gateway.close();
    throw error;
  });
  const routes = routesOf(catalogue, [formAgain]);
  const create = createExpressions({ rest: onceRest, botId, now });
  const guildRoles = createGuildRolesCache({
    read: (guildId) => readGuildRoles(guildId, { rest: rolesRest, random }),
    now,
  });
  ready.resolve(
    createDispatch({ routes, services, callbackRest, rest, running, create, guildRoles }),
  );
  const definitions = define(catalogue, services.languages);
  const changed = await registerCommands(rest, applicationId, definitions).catch(
    async (error: unknown) => {
      await gateway.close();
      throw startFailure(error, "the commands");
    },
  );
  log.info("commands are registered", { changed, invite: inviteLink(applicationId, parts.apiUrl) });

  const say = createTell({ routes, services, rest, botId });
  const saying = new Set<Promise<unknown>>();
  const tell: Tell = (happening) => {
    const said = say(happening).finally(() => saying.delete(said));
    saying.add(said);
    return said;
  };

  const { owns } = gateway;
  reconcileQuietly = () => {
    const guilds = { store: services.store, present: gateway.guildIds(), isOurs: owns };
    reconcileGuilds({ ...{ rest, log }, ...guilds }).catch((error: unknown) =>
      log.warn("guilds were not reconciled", { error }),
    );
  };
  const timer = setInterval(() => reconcileQuietly(), reconcileMs);
  timer.unref();
  reconcileQuietly();

  return {
    applicationId,
    settled: receive.settled,
    tell,
    desk: createDesk({
      ...{ routes, services, rest: deskRest, botId },
      places: createPlaces(deskRest, now),
    }),
    owns,
    state: () => ({
      isConnected: gateway.isConnected(),
      pingMs: gateway.pingMs(),
      guilds: gateway.guildIds().size,
      isHeld: breaker.isOpen(),
      underWay: receive.underWay().length,
    }),
    ended: gateway.ended,
    async close(drainMs) {
      clearInterval(timer);
      isClosing = true;
      await running.drain(drainMs);
      await Promise.allSettled([...receive.underWay(), ...saying]);
      await gateway.close();
    },
  };
}
