import { REST, RESTEvents } from "@discordjs/rest";
import type { PublishableMessages } from "../channel-messages.ts";
import { createTimerClock, withTimeout } from "../clock.ts";
import type { BotError } from "../errors.ts";
import type { ScheduledEvents } from "../scheduled-events.ts";
import { createExpressions, createOnceRest } from "./access/expressions/create.ts";
import { createServerRolesCache, readServerRoles } from "./access/roles/server-roles.ts";
import { type CommandCatalogue, defineCommands } from "./declare/definitions.ts";
import { collectRoutes } from "./declare/routes.ts";
import { type Gateway, type GatewayDeps, openGateway } from "./gateway/open-gateway.ts";
import { createChannelMessages } from "./run/channel-messages/create-channel-messages.ts";
import { createNotificationRenderer } from "./run/channel-messages/notification-renderer.ts";
import { createNotify, type Notify } from "./run/channel-messages/notify.ts";
import { createServerInfoCache } from "./run/channel-messages/server-info-cache.ts";
import { createDispatcher, createInteractionReceiver } from "./run/dispatch.ts";
import { reopenForm, tryAgainPrivately, tryAgainPublicly } from "./run/failure-buttons.ts";
import type { FeatureContexts } from "./run/feature-contexts.ts";
import { createRunningHandlers } from "./run/running-handlers.ts";
import { createScheduledEvents } from "./run/scheduled-events/create-scheduled-events.ts";
import type { Services } from "./run/services.ts";
import { createCallbackRest } from "./wire/acknowledge.ts";
import { type ArrivalConfig, applicationWarnings, readApplication } from "./wire/application.ts";
import { createBreaker } from "./wire/breaker.ts";
import { inviteLink } from "./wire/invite.ts";
import { createMessageRest } from "./wire/post.ts";
import { reconcileServers } from "./wire/reconcile-servers.ts";
import { registerCommands } from "./wire/register.ts";
import { createRequestLimit } from "./wire/request-limit.ts";
import { startError } from "./wire/start-error.ts";
import { waitForDiscord } from "./wire/wait-for-discord.ts";

interface ConnectDeps {
  readonly token: string;
  /** Base address without version, e.g. `https://discord.com/api`. */
  readonly apiUrl: string;
  /** How interactions arrive: over connections to the gateway, or over HTTP by `take`. */
  readonly arrival: GatewayArrival | "http";
  /** Ends the wait for a Discord that is away. */
  readonly signal?: AbortSignal | undefined;
  /** How to wait for it, and before the next connection; a timer when absent. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Called while the connection is opened: the login need not wait for commands that nobody can use before it. */
  readonly loadCatalogue: () => Promise<CommandCatalogue>;
  /** Called at the same time: makes what handlers get, which loads most of the bot. */
  readonly loadFeatures: () => Promise<FeatureContexts>;
  readonly services: Services;
  /** How many requests a second this process may send with the bot's token; answers to interactions don't count. */
  readonly requestsPerSecond: () => number;
  /** What the application's own settings are compared with. */
  readonly config: ArrivalConfig;
}

/** What the gateway needs beside what all ways need. */
export type GatewayArrival = Pick<
  GatewayDeps,
  "shards" | "shardCount" | "identifyTurn" | "sessions"
>;

export interface Discord {
  readonly applicationId: string;
  /** Resolves when the interaction with this id is handled; at once for an id that is not under way. */
  settled(interactionId: string): Promise<void>;
  /**
   * Takes an interaction that came over HTTP. Answers when Discord sent it, by our clock; `malformed` for what can't be one,
   * `refused` where none is begun now. `respond` sends the first answer as the response, and resolves with whether all of it left.
   */
  take(
    interaction: unknown,
    respond: (answer: object) => Promise<boolean>,
  ): number | "malformed" | "refused";
  readonly notify: Notify;
  readonly channelMessages: PublishableMessages;
  readonly scheduledEvents: ScheduledEvents;
  /** Answers, or tells the people of, the open interactions of a process that ended. @throws ServiceError `store_unavailable` */
  recover(processId: string, signal: AbortSignal): Promise<void>;
  /** Stops all work that runs, because other processes may have taken this one for dead, and go on with it. */
  stopLost(): void;
  /** Erases what is stored about servers that the bot has left. @throws what Discord and the store throw */
  reconcile(signal: AbortSignal): Promise<void>;
  /** The connection's state at this moment. */
  state(): DiscordState;
  /** Resolves when Discord no longer accepts the bot, with an error for the operator. */
  readonly ended: Promise<BotError>;
  /** Accepts no more interactions, waits for the running ones, then aborts them. */
  close(drainMs: number): Promise<void>;
}

interface DiscordState {
  /** Whether interactions can arrive: every connection of this process is up, or none is needed. */
  readonly isConnected: boolean;
  /** Of the last heartbeat; undefined before the first, and over HTTP. */
  readonly pingMs: number | undefined;
  /** Servers that belong to this process's connections; undefined over HTTP. */
  readonly guilds: number | undefined;
  /** Whether nothing new is begun, because Discord refused too many requests. */
  readonly isHeld: boolean;
  /** Interactions that are being handled. */
  readonly underWay: number;
}

/** Uploads of results take longer than the library's 15 s: docs/services/discord.md#discordjs */
const sendTimeoutMs = 120_000;
/** The breaker is notified after every 500 refused requests. */
const invalidRequestWarningInterval = 500;

/** How long work that was stopped may take to say so. */
const stopMs = 2_000;
/** Each interaction has a route of its own; without this, the library keeps it for an hour. */
const sweepMs = 30_000;

/**
 * Opens the way in which interactions arrive, registers the commands and dispatches interactions until closed.
 * @throws BotError that says in a sentence why it can't; a ConfigError where the next start would fail too.
 */
export async function connectDiscord(deps: ConnectDeps): Promise<Discord> {
  const { services } = deps;
  const { log, now, random } = services;
  const breaker = createBreaker(now);
  const senders = createSenders(deps, breaker);
  const { rest, messageRest, onceRest, rolesRest } = senders;
  const running = createRunningHandlers();
  const ready = Promise.withResolvers<ReturnType<typeof createDispatcher>>();
  let isClosing = false;
  const receive = createInteractionReceiver({
    dispatch: ready.promise.then((dispatcher) => dispatcher.receive),
    mayBegin: () => !isClosing && !breaker.isOpen(),
    log,
    now,
  });
  const { botId, ...application } = await readApplication(rest, { ...services, ...deps });
  const { applicationId } = application;
  for (const { level, message } of applicationWarnings(application, deps.config)) {
    log[level](message);
  }
  const loading = Promise.all([deps.loadCatalogue(), deps.loadFeatures()]);
  // Where the gateway fails first, nobody else handles this.
  loading.catch(() => undefined);
  const way = await openWay(deps, rest, receive.take);
  log.info("connected", { application: applicationId });
  const [catalogue, features] = await orClosed(way, loading);
  const routes = collectRoutes(catalogue, [reopenForm, tryAgainPublicly, tryAgainPrivately]);
  const dispatcher = createDispatcher({
    ...senders,
    routes,
    services,
    features,
    botId,
    running,
    create: createExpressions({ rest: onceRest, botId, now }),
    serverRoles: createServerRolesCache({
      read: (guildId) => readServerRoles(guildId, { rest: rolesRest, random }),
      now,
    }),
  });
  ready.resolve(dispatcher);
  await orClosed(way, register(deps, { rest, applicationId, catalogue }));

  const drawing = createNotificationRenderer({ routes, services, features, botId });
  const notify = createNotify({ ...senders, drawing, services });
  /** A stop waits for them. */
  const notifying = new Set<Promise<void>>();
  return {
    applicationId,
    settled: receive.settled,
    take: receive.take,
    notify(notification) {
      const sent = notify(notification).finally(() => notifying.delete(sent));
      notifying.add(sent);
      return sent;
    },
    channelMessages: createChannelMessages({
      drawing,
      services,
      rest: messageRest,
      botId,
      serverInfo: createServerInfoCache(messageRest, now),
    }),
    scheduledEvents: createScheduledEvents({ rest: onceRest, botId, services }),
    recover: dispatcher.recover,
    stopLost: () => running.stopLost(),
    reconcile: async (signal) => {
      await reconcileServers({ rest, store: services.store, log, signal });
    },
    state: () => ({
      isConnected: way.isConnected(),
      pingMs: way.pingMs(),
      guilds: way.servers(),
      isHeld: breaker.isOpen(),
      underWay: receive.underWay().length,
    }),
    ended: way.ended,
    async close(drainMs) {
      isClosing = true;
      // Before the drain: what arrives from now on is for the process that follows.
      await way.close();
      const allEnded = () => Promise.allSettled([...receive.underWay(), ...notifying]);
      await withTimeout(allEnded, { timeoutMs: drainMs }).catch(() => undefined);
      running.stopAll();
      // What was stopped still has to show its failure.
      await withTimeout(allEnded, { timeoutMs: stopMs }).catch(() => undefined);
      dispatcher.stop();
    },
  };
}

/** Over HTTP, the web room hands interactions over: nothing is connected that could break. */
const httpWay: Gateway = {
  isConnected: () => true,
  pingMs: () => undefined,
  servers: () => undefined,
  ended: new Promise(() => undefined),
  close: async () => undefined,
};

async function openWay(
  { arrival, token, signal, wait, services: { log, now, random } }: ConnectDeps,
  rest: REST,
  onInteraction: (interaction: unknown) => void,
): Promise<Gateway> {
  if (arrival === "http") return httpWay;
  try {
    const waiting = { signal, wait, log, now, random };
    return await openGateway({ ...arrival, ...waiting, token, rest, onInteraction });
  } catch (error) {
    throw startError(error, "the login");
  }
}

/** One for each way of sending: they differ in what they retry, and in how long they wait. */
function createSenders(
  { token, apiUrl, services, requestsPerSecond }: ConnectDeps,
  breaker: ReturnType<typeof createBreaker>,
) {
  const { log, now } = services;
  const limit = createRequestLimit({
    perSecond: requestsPerSecond,
    clock: createTimerClock(now),
  });
  const shared = {
    api: apiUrl,
    version: "10" as const,
    invalidRequestWarningInterval,
    // Our own limit holds for all senders together, and not for answers to interactions.
    globalRequestsPerSecond: Number.POSITIVE_INFINITY,
    handlerSweepInterval: sweepMs,
  };
  const limited = { ...shared, makeRequest: limit.send() };
  const urgent = { ...shared, makeRequest: limit.send("urgent") };
  const senders = {
    /** For everything else. */
    rest: new REST({ ...limited, timeout: sendTimeoutMs }).setToken(token),
    /**
     * For answers after the first, which have the interaction's token: Discord's limit for bots is not theirs. Without the
     * library's retries, because each of ours asks first whose the interaction is.
     */
    answerRest: createCallbackRest({ ...shared, timeout: sendTimeoutMs }),
    /** For first answers, which carry no token. */
    callbackRest: createCallbackRest(shared),
    onceRest: createOnceRest(limited).setToken(token),
    messageRest: createMessageRest(limited).setToken(token),
    /** Whether somebody may do something has to be known within a second, so the library must not retry by itself. */
    rolesRest: createCallbackRest(urgent).setToken(token),
  };
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

/** A start that fails leaves no connection behind. */
async function orClosed<T>(way: Gateway, step: Promise<T>): Promise<T> {
  return step.catch(async (error: unknown) => {
    await way.close();
    throw error;
  });
}

async function register(
  deps: ConnectDeps,
  {
    rest,
    applicationId,
    catalogue,
  }: {
    readonly rest: REST;
    readonly applicationId: string;
    readonly catalogue: CommandCatalogue;
  },
): Promise<void> {
  const { services } = deps;
  const definitions = defineCommands(catalogue, services.languages);
  const { isChanged, ids } = await waitForDiscord(
    () => registerCommands(rest, applicationId, definitions),
    { ...services, ...deps, what: "the commands" },
  );
  const invite = inviteLink(applicationId, services.siteUrl);
  for (const [name, id] of ids) services.commandIds.set(name, id);
  services.log.info("commands are registered", { changed: isChanged, invite });
}
