import type { APIInteraction, REST } from "discord.js";
import { collectRoutes } from "../../src/discord/declare/routes.ts";
import { command, notice } from "../../src/discord/index.ts";
import { createDispatcher } from "../../src/discord/run/dispatch.ts";
import { createRunningHandlers } from "../../src/discord/run/running-handlers.ts";
import type { Services } from "../../src/discord/run/services.ts";
import { option, subcommand } from "../../src/features/declarations/index.ts";
import { createFeatureContexts, type FeatureServices } from "../../src/features/index.ts";
import { createLanguages } from "../../src/language/index.ts";
import { createLog, createSecrets } from "../../src/log.ts";
import { createMetrics } from "../../src/web/index.ts";
import { createClaimedInteractions } from "../support/claimed-interactions.ts";
import { rolesFrom, rolesGiving } from "../support/guild-roles.ts";
import { answering } from "./acknowledge.ts";
import type { BenchRow, BenchRows } from "./row.ts";

export const rows: BenchRows = {
  "dispatch.cpu": async () => [await dispatchCpu()],
  "dispatch.ack": async () => [await acknowledged("dispatch.ack", "quiet", 10)],
  "dispatch.ack.busy": async () => [await acknowledged("dispatch.ack.busy", "busy", 50)],
};

/** How soon people are answered while the bot is idle, or while it works on many pictures. */
async function acknowledged(name: string, when: "quiet" | "busy", goal: number): Promise<BenchRow> {
  const { p50, p99 } = await answering(when);
  return { name, value: p99, unit: "ms p99", floor: p50, goal, ok: p99 <= goal };
}

/** CPU of Greenroom's own code for one interaction, from plan to payload, with a transport that costs nothing. */
async function dispatchCpu(): Promise<BenchRow> {
  const count = 10_000;
  const { receive } = createDispatcher({
    routes: collectRoutes(new Map([["ping", pingCommand]])),
    ...idleServices(),
    callbackRest: silentRest,
    answerRest: silentRest,
    rest: silentRest,
    running: createRunningHandlers(),
    create: { emoji: never, sticker: never },
    serverRoles: rolesFrom(Date.now),
    botId: "9".repeat(18),
  });
  const rounds: number[] = [];
  for (let round = 0; round < 6; round += 1) {
    const before = process.cpuUsage();
    for (let n = 0; n < count; n += 1) await receive(pingInteraction(n), { arrivedAt: Date.now() });
    const { user, system } = process.cpuUsage(before);
    rounds.push((user + system) / count);
  }
  // In the first round the code is still being compiled.
  const value = rounds.slice(1).sort((a, b) => a - b)[2] ?? Number.NaN;
  return { name: "dispatch.cpu", value, unit: "us", goal: 50, ok: value <= 50 };
}

const pingCommand = command({
  run: subcommand({
    options: { word: option.text({}) },
    run: async (ctx) => notice({ tone: "neutral", title: "Pong", text: ctx.options.word ?? "" }),
  }),
});

const never = (): never => {
  throw new TypeError("nothing is made in the server here");
};

// Only what `createDispatcher` calls.
const silentRest = {
  post: async () => undefined,
  patch: async () => undefined,
  delete: async () => undefined,
} as unknown as REST;

function idleServices() {
  const log = createLog({ level: "info", secrets: createSecrets(), write: () => undefined });
  // The ping needs neither stored records nor YouTube or remove.bg.
  const store = {
    settings: { read: async () => ({ state: "absent" }) },
    interactions: createClaimedInteractions(),
    database: {
      dialect: "sqlite",
      waitingMs: () => 0,
      servers: {
        answerFor: <T>(_: string, work: () => Promise<T>) => work(),
        version: async () => "",
      },
    },
  };
  const languages = createLanguages();
  // Metrics are counted as in the bot.
  const observer = createMetrics({ version: "bench" }).interaction;
  const features = createFeatureContexts({ store, now: Date.now } as unknown as FeatureServices);
  const tools = {
    log,
    languages,
    commandIds: new Map<string, string>(),
    now: Date.now,
    random: Math.random,
    observer,
  };
  return { features, services: { ...tools, store } as unknown as Services };
}

function pingInteraction(n: number): APIInteraction {
  return {
    id: `${100_000_000_000_000_000n + BigInt(n)}`,
    application_id: "1".repeat(18),
    type: 2,
    token: "token",
    guild_id: "2".repeat(18),
    locale: "en-US",
    attachment_size_limit: 10_485_760,
    // A moderator, because of the server's roles, which are cached.
    member: { user: { id: "3".repeat(18) }, roles: rolesGiving(1n << 13n), permissions: "8192" },
    data: { id: "4", name: "ping", type: 1, options: [{ name: "word", type: 3, value: "hello" }] },
  } as unknown as APIInteraction;
}
