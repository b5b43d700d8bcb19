import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { createRooms } from "../../../src/bot/rooms.ts";
import { createTimerClock } from "../../../src/clock.ts";
import { readConfig } from "../../../src/config.ts";
import { createDispatcher } from "../../../src/discord/run/dispatch.ts";
import { createRunningHandlers } from "../../../src/discord/run/running-handlers.ts";
import { createFeatureContexts } from "../../../src/features/index.ts";
import { createJobs } from "../../../src/jobs/index.ts";
import { createLanguages } from "../../../src/language/index.ts";
import { createLog, createSecrets } from "../../../src/log.ts";
import { openStore } from "../../../src/store/index.ts";
import { rolesFrom } from "../guild-roles.ts";
import { ownRoutes } from "../raw-dispatch.ts";
import { type LeftUnasked, notingDiscord } from "./queues.ts";
import { type Recorded, recordingRest } from "./recorder.ts";

export type Bot = Awaited<ReturnType<typeof openBot>>;

/**
 * The bot as `startBot` wires it, but without a gateway: interactions are handed to the dispatcher, and what is sent is
 * recorded.
 */
export async function openBot(servicesUrl: string, now: () => number) {
  const logged: string[] = [];
  const secrets = createSecrets();
  const log = createLog({ level: "warn", secrets, write: (line) => logged.push(line) });
  const config = readConfig({
    VIDEO_API_URL: `${servicesUrl}/youtube/v3`,
    BACKGROUND_API_URL: `${servicesUrl}/v1.0`,
    OAUTH_CLIENT_ID: "client",
    OAUTH_CLIENT_SECRET: "client-secret-of-the-campaign",
    OAUTH_TOKEN_URL: `${servicesUrl}/token`,
    PUBLIC_URL: "https://greenroom.example",
    LOG_LEVEL: "warn",
  });
  const keys = [{ id: "k1", key: new Uint8Array(32).fill(7) }];
  const store = await openStore({ url: "sqlite::memory:", keys, now });
  const { database } = store;
  // No process does the jobs: their work is started by name instead.
  const jobs = createJobs({ database, clock: createTimerClock(now), random: Math.random, log });
  const left: LeftUnasked[] = [];
  const discord = Promise.resolve(notingDiscord(left));
  const { random } = Math;
  const rooms = createRooms({ config, jobs, store, discord, log, secrets, now, random });
  const sent = new Map<string, Recorded[]>();
  /** Interactions without a first answer yet, by their token. */
  const waiting = new Map<string, PromiseWithResolvers<void>>();
  function stopWaiting(token: string): void {
    waiting.get(token)?.resolve();
    waiting.delete(token);
  }
  const rest = recordingRest(sent, stopWaiting);
  const routes = await ownRoutes();
  // Several interactions are under way at once, and the observer is not told which one ended.
  const current = new AsyncLocalStorage<{ code: string }>();
  const never = () => Promise.reject(new Error("nothing is made in a server here"));
  const { receive } = createDispatcher({
    routes,
    rest,
    callbackRest: rest,
    answerRest: rest,
    running: createRunningHandlers(),
    create: { emoji: never, sticker: never },
    serverRoles: rolesFrom(now),
    botId: "9".repeat(18),
    features: createFeatureContexts(rooms.features),
    services: {
      processId: randomUUID(),
      store,
      http: rooms.http,
      log,
      now,
      commandIds: new Map(),
      languages: createLanguages(),
      random: Math.random,
      attachmentHosts: [new URL(servicesUrl).host],
      siteUrl: servicesUrl,
      observer: ({ failure, outcome }) => {
        const ended = current.getStore();
        if (ended !== undefined) ended.code = failure?.code ?? outcome;
      },
    },
  });

  return {
    routes,
    store,
    logged,
    /** What the bot has tried to post in channels so far. */
    left,
    /** Everything sent for an interaction since the last call, by its token. */
    take(token: string) {
      const found = sent.get(token) ?? [];
      sent.delete(token);
      return found;
    },
    /** Handles one interaction. Returns the failure's code, or how it ended: `answered`, `expired` or `lost`. */
    async receive(interaction: { readonly token: string }) {
      const ended = { code: "unseen" };
      waiting.set(interaction.token, Promise.withResolvers());
      await current.run(ended, () => receive(interaction as never, { arrivedAt: now() }));
      stopWaiting(interaction.token);
      return ended.code;
    },
    /** A promise for each interaction without a first answer, which resolves when that is sent. */
    firstAnswers: () => [...waiting.values()].map(({ promise }) => promise),
    close: rooms.close,
  };
}
