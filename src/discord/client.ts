import { REST, RESTEvents } from "discord.js";
import type { Desk } from "../desk.ts";
import type { BotError } from "../errors.ts";
import { createExpressions, createOnceRest } from "./access/expressions/create.ts";
import { createGuildRolesCache } from "./access/roles/guild-roles-cache.ts";
import { readGuildRoles } from "./access/roles/read-guild-roles.ts";
import { type Catalogue, define } from "./declare/definitions.ts";
import { routesOf } from "./declare/routes.ts";
import { type Gateway, openGateway } from "./gateway/open-gateway.ts";
import type { Services } from "./run/context.ts";
import { createDesk } from "./run/desk.ts";
import { createDispatch, type Dispatch } from "./run/dispatch.ts";
import { formAgain } from "./run/form-again.ts";
import type { DispatchDeps } from "./run/interaction-deps.ts";
import { createReceive } from "./run/receive.ts";
import { createRunningHandlers } from "./run/running-handlers.ts";
import { createServerInfoCache } from "./run/server-info-cache.ts";
import { createTell, type Tell } from "./run/tell.ts";
import { createCallbackRest } from "./wire/acknowledge.ts";
import { createBreaker } from "./wire/breaker.ts";
import { reconcileGuilds } from "./wire/guilds.ts";
import { inviteLink } from "./wire/invite.ts";
import { createDeskRest } from "./wire/post.ts";
import { registerCommands } from "./wire/register.ts";
import { startFailure } from "./wire/start-failure.ts";

export interface ConnectDeps {
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

/** One for each way of sending: they differ in what they send again, and for how long they wait. */
interface Senders {
  /** For everything that has no other. */
  readonly rest: REST;
  /** For first answers, which carry no token. */
  readonly callbackRest: REST;
  readonly onceRest: REST;
  readonly deskRest: REST;
  /** Whether somebody may do a thing has to be known in a second, or not at all: nothing is sent again behind our back. */
  readonly rolesRest: REST;
}

type Breaker = ReturnType<typeof createBreaker>;

/**
 * Logs in without any intent, registers the commands and dispatches interactions until closed.
 * @throws BotError that tells the operator in a sentence why it can't; a ConfigError where another start would fail too.
 */
export async function connectDiscord(deps: ConnectDeps): Promise<Discord> {
  const { services, token } = deps;
  const { log, now, random } = services;
  const breaker = createBreaker(now);
  const senders = createSenders(deps, breaker);
  const { rest } = senders;
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
    ...{ token, rest, log, now, random, wait: deps.wait },
    onInteraction: receive.take,
    onServers: () => reconcileQuietly(),
  }).catch((error: unknown) => {
    throw startFailure(error, "the login");
  });
  const { applicationId, botId, owns } = gateway;
  log.info("connected", { application: applicationId, guilds: gateway.guildIds().size });
  const start = { deps, senders, gateway };
  const catalogue = await orClosed(gateway, deps.loadCatalogue());
  const routes = routesOf(catalogue, [formAgain]);
  ready.resolve(createDispatch(dispatchDeps(start, { routes, running })));
  await orClosed(gateway, register(start, catalogue));

  const telling = trackTelling(createTell({ routes, services, rest, botId }));
  const reconciling = startReconciling(start);
  reconcileQuietly = reconciling.run;
  const { deskRest } = senders;
  return {
    applicationId,
    settled: receive.settled,
    tell: telling.tell,
    desk: createDesk({
      ...{ routes, services, rest: deskRest, botId },
      places: createServerInfoCache(deskRest, now),
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
      reconciling.stop();
      isClosing = true;
      await running.drain(drainMs);
      await Promise.allSettled([...receive.underWay(), ...telling.underWay]);
      await gateway.close();
    },
  };
}

function createSenders({ token, apiUrl, services }: ConnectDeps, breaker: Breaker): Senders {
  const { log } = services;
  const shared = { api: apiUrl, version: "10" as const, invalidRequestWarningInterval };
  const senders = {
    rest: new REST({ ...shared, timeout: sendTimeoutMs }).setToken(token),
    callbackRest: createCallbackRest(shared),
    onceRest: createOnceRest(shared).setToken(token),
    deskRest: createDeskRest(shared).setToken(token),
    rolesRest: createCallbackRest(shared).setToken(token),
  } satisfies Senders;
  senders.rest.on(RESTEvents.RateLimited, ({ route, timeToReset }) =>
    log.debug("rate limited", { route, waitMs: timeToReset }),
  );
  for (const sender of Object.values(senders)) {
    sender.on(RESTEvents.InvalidRequestWarning, (refused) => {
      breaker.note(refused);
      log.error("many requests are refused", { count: refused.count, isHeld: breaker.isOpen() });
    });
  }
  return senders;
}

/** A bot that is connected and still starting. */
interface Start {
  readonly deps: ConnectDeps;
  readonly senders: Senders;
  readonly gateway: Gateway;
}

/** A start that fails leaves no connection behind. */
async function orClosed<T>(gateway: Gateway, step: Promise<T>): Promise<T> {
  return step.catch(async (error: unknown) => {
    await gateway.close();
    throw error;
  });
}

function dispatchDeps(
  { deps, senders, gateway }: Start,
  own: Pick<DispatchDeps, "routes" | "running">,
): DispatchDeps {
  const { services } = deps;
  const { rest, callbackRest, onceRest, rolesRest } = senders;
  const { now, random } = services;
  const read = (guildId: string) => readGuildRoles(guildId, { rest: rolesRest, random });
  return {
    ...own,
    ...{ services, callbackRest, rest },
    create: createExpressions({ rest: onceRest, botId: gateway.botId, now }),
    guildRoles: createGuildRolesCache({ read, now }),
  };
}

async function register({ deps, senders, gateway }: Start, catalogue: Catalogue): Promise<void> {
  const { services, apiUrl } = deps;
  const { applicationId } = gateway;
  const definitions = define(catalogue, services.languages);
  const changed = await registerCommands(senders.rest, applicationId, definitions).catch(
    (error: unknown) => {
      throw startFailure(error, "the commands");
    },
  );
  const invite = inviteLink(applicationId, apiUrl);
  services.log.info("commands are registered", { changed, invite });
}

/** The same with what it is telling at the moment, so that a stop can wait for it. */
function trackTelling(say: Tell): {
  readonly tell: Tell;
  readonly underWay: Set<Promise<unknown>>;
} {
  const underWay = new Set<Promise<unknown>>();
  const tell: Tell = (happening) => {
    const said = say(happening).finally(() => underWay.delete(said));
    underWay.add(said);
    return said;
  };
  return { tell, underWay };
}

/** Now, and from time to time. */
function startReconciling({ deps, senders, gateway }: Start) {
  const { store, log } = deps.services;
  const { rest } = senders;
  const run = () => {
    const guilds = { store, present: gateway.guildIds(), isOurs: gateway.owns };
    reconcileGuilds({ ...{ rest, log }, ...guilds }).catch((error: unknown) =>
      log.warn("guilds were not reconciled", { error }),
    );
  };
  const timer = setInterval(run, reconcileMs);
  timer.unref();
  run();
  return { run, stop: () => clearInterval(timer) };
}
