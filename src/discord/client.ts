import { REST, RESTEvents } from "discord.js";
import type { ChannelMessages } from "../channel-messages.ts";
import type { BotError } from "../errors.ts";
import { createExpressions, createOnceRest } from "./access/expressions/create.ts";
import { createGuildRolesCache } from "./access/roles/guild-roles-cache.ts";
import { readGuildRoles } from "./access/roles/read-guild-roles.ts";
import { type CommandCatalogue, defineCommands } from "./declare/definitions.ts";
import { routesOf } from "./declare/routes.ts";
import { type Gateway, openGateway } from "./gateway/open-gateway.ts";
import { createChannelMessages } from "./run/channel-messages/create-channel-messages.ts";
import { createNotificationRenderer } from "./run/channel-messages/notification-renderer.ts";
import { createNotify, type Notify } from "./run/channel-messages/notify.ts";
import { createServerInfoCache } from "./run/channel-messages/server-info-cache.ts";
import { createDispatch, createInteractionReceiver, type Dispatch } from "./run/dispatch.ts";
import type { FeatureContexts } from "./run/feature-contexts.ts";
import type { DispatchDeps, Services } from "./run/interaction-deps.ts";
import { reopenForm } from "./run/reopen-form.ts";
import { createRunningHandlers } from "./run/running-handlers.ts";
import { createCallbackRest } from "./wire/acknowledge.ts";
import { createBreaker } from "./wire/breaker.ts";
import { reconcileGuilds } from "./wire/guilds.ts";
import { inviteLink } from "./wire/invite.ts";
import { createMessageRest } from "./wire/post.ts";
import { registerCommands } from "./wire/register.ts";
import { startFailure } from "./wire/start-failure.ts";

interface ConnectDeps {
  readonly token: string;
  /** Base address without version, e.g. `https://discord.com/api`. */
  readonly apiUrl: string;
  /** Called once the gateway is connected: the login need not wait for commands that nobody can use before it. */
  readonly loadCatalogue: () => Promise<CommandCatalogue>;
  /** Called at the same time: makes what handlers get, which loads most of the bot. */
  readonly loadFeatures: () => Promise<FeatureContexts>;
  readonly services: Services;
  /** How to wait before the next connection to the gateway; a timer when absent. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface Discord {
  readonly applicationId: string;
  /** Resolves when the interaction with this id is handled; at once for an id that is not under way. */
  settled(interactionId: string): Promise<void>;
  readonly notify: Notify;
  readonly channelMessages: ChannelMessages;
  /** Whether that guild belongs to one of this process's connections. */
  owns(guildId: string): boolean;
  /** The connection's state at this moment. */
  state(): DiscordState;
  /** Resolves when Discord no longer accepts the bot, with an error for the operator. */
  readonly ended: Promise<BotError>;
  /** Accepts no more interactions, waits for the running ones, then aborts them. */
  close(drainMs: number): Promise<void>;
}

interface DiscordState {
  /** Whether every connection of this process is up. */
  readonly isConnected: boolean;
  /** Of the last heartbeat; undefined before the first. */
  readonly pingMs: number | undefined;
  /** Servers that belong to this process's connections. */
  readonly guilds: number;
  /** Whether nothing new is begun, because Discord refused too many requests. */
  readonly isHeld: boolean;
  /** Interactions that are being handled. */
  readonly underWay: number;
}

/** Uploads of results take longer than the library's 15 s (facts/discord.md: REST defaults). */
const sendTimeoutMs = 120_000;
const reconcileMs = 6 * 3_600_000;
/** The breaker is notified after every 500 refused requests. */
const invalidRequestWarningInterval = 500;

/** One for each way of sending: they differ in what they retry, and in how long they wait. */
interface Senders {
  /** For everything else. */
  readonly rest: REST;
  /** For first answers, which carry no token. */
  readonly callbackRest: REST;
  readonly onceRest: REST;
  readonly messageRest: REST;
  /** Reads roles. Whether somebody may do something has to be known within a second, so the library must not retry by itself. */
  readonly rolesRest: REST;
}

type Breaker = ReturnType<typeof createBreaker>;

/**
 * Logs in without any intent, registers the commands and dispatches interactions until closed.
 * @throws BotError that says in a sentence why it can't; a ConfigError where the next start would fail too.
 */
export async function connectDiscord(deps: ConnectDeps): Promise<Discord> {
  const { services } = deps;
  const { log, now } = services;
  const breaker = createBreaker(now);
  const senders = createSenders(deps, breaker);
  const { rest } = senders;
  const running = createRunningHandlers();
  const ready = Promise.withResolvers<Dispatch>();
  const receive = createInteractionReceiver({
    dispatch: ready.promise,
    mayBegin: () => !isClosing && !breaker.isOpen(),
    ...{ log, now },
  });
  let isClosing = false;
  let reconcileQuietly = () => {};
  const gateway = await login(deps, rest, {
    onInteraction: receive.take,
    onServers: () => reconcileQuietly(),
  });
  const { applicationId, botId, owns } = gateway;
  log.info("connected", { application: applicationId, guilds: gateway.guildIds().size });
  const start = { deps, senders, gateway };
  const loading = Promise.all([deps.loadCatalogue(), deps.loadFeatures()]);
  const [catalogue, features] = await orClosed(gateway, loading);
  const routes = routesOf(catalogue, [reopenForm]);
  ready.resolve(createDispatch(dispatchDeps(start, { routes, running, features })));
  await orClosed(gateway, register(start, catalogue));

  const drawing = createNotificationRenderer({ routes, services, botId });
  const notifying = trackNotify(createNotify({ drawing, services, rest }));
  const reconciling = startReconciling(start);
  reconcileQuietly = reconciling.run;
  const { messageRest } = senders;
  return {
    applicationId,
    settled: receive.settled,
    notify: notifying.notify,
    channelMessages: createChannelMessages({
      ...{ drawing, services, rest: messageRest, botId },
      serverInfo: createServerInfoCache(messageRest, now),
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
      await Promise.allSettled([...receive.underWay(), ...notifying.underWay]);
      await gateway.close();
    },
  };
}

async function login(
  { token, wait, services: { log, now, random } }: ConnectDeps,
  rest: REST,
  events: Pick<Parameters<typeof openGateway>[0], "onInteraction" | "onServers">,
): Promise<Gateway> {
  try {
    return await openGateway({ ...{ token, rest, log, now, random, wait }, ...events });
  } catch (error) {
    throw startFailure(error, "the login");
  }
}

function createSenders({ token, apiUrl, services }: ConnectDeps, breaker: Breaker): Senders {
  const { log } = services;
  const shared = { api: apiUrl, version: "10" as const, invalidRequestWarningInterval };
  const senders = {
    rest: new REST({ ...shared, timeout: sendTimeoutMs }).setToken(token),
    callbackRest: createCallbackRest(shared),
    onceRest: createOnceRest(shared).setToken(token),
    messageRest: createMessageRest(shared).setToken(token),
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

/** A bot that is connected but still starting. */
interface ConnectedStart {
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
  { deps, senders, gateway }: ConnectedStart,
  own: Pick<DispatchDeps, "routes" | "running" | "features">,
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

async function register(
  { deps, senders, gateway }: ConnectedStart,
  catalogue: CommandCatalogue,
): Promise<void> {
  const { services, apiUrl } = deps;
  const { applicationId } = gateway;
  const definitions = defineCommands(catalogue, services.languages);
  const changed = await registerCommands(senders.rest, applicationId, definitions).catch(
    (error: unknown) => {
      throw startFailure(error, "the commands");
    },
  );
  const invite = inviteLink(applicationId, apiUrl);
  services.log.info("commands are registered", { changed, invite });
}

/** Remembers which notifications are being sent, so that a stop can wait for them. */
function trackNotify(send: Notify) {
  const underWay = new Set<Promise<void>>();
  const notify: Notify = (notification) => {
    const sent = send(notification).finally(() => underWay.delete(sent));
    underWay.add(sent);
    return sent;
  };
  return { notify, underWay };
}

/** Removes what is stored about servers that the bot has left: now, and every six hours. */
function startReconciling({ deps, senders, gateway }: ConnectedStart) {
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
