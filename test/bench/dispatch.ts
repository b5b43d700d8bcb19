import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { APIInteraction, REST } from "discord.js";
import { routesOf } from "../../src/discord/declare/routes.ts";
import { command, notice, option, subcommand } from "../../src/discord/index.ts";
import type { Services } from "../../src/discord/run/context.ts";
import { createDispatch } from "../../src/discord/run/dispatch.ts";
import { createJobs } from "../../src/discord/run/jobs.ts";
import { createLanguages } from "../../src/language/index.ts";
import { createLog, createSecrets } from "../../src/log.ts";
import { type Platform, startPlatform } from "../../src/sandbox/platform/index.ts";
import { spawnBot } from "../support/spawn-bot.ts";
import { photoZip } from "./photo-zip.ts";
import type { BenchRow, BenchRows } from "./row.ts";

export const rows: BenchRows = {
  "dispatch.cpu": async () => [await dispatchCpu()],
  "dispatch.ack": async () => [await acknowledgements("dispatch.ack", { goal: 10, pictures: 0 })],
  "dispatch.ack.busy": async () => [
    await acknowledgements("dispatch.ack.busy", { goal: 50, pictures: 12 }),
  ],
};

/** CPU of Greenroom's own code for one interaction, from plan to payload, with a transport that costs nothing. */
async function dispatchCpu(): Promise<BenchRow> {
  const count = 10_000;
  const receive = createDispatch({
    routes: routesOf(new Map([["ping", pingCommand]])),
    services: idleServices(),
    callbackRest: silentRest,
    rest: silentRest,
    jobs: createJobs(),
    create: { emoji: never, sticker: never },
  });
  const rounds: number[] = [];
  for (let round = 0; round < 6; round += 1) {
    const before = process.cpuUsage();
    for (let n = 0; n < count; n += 1) await receive(pingInteraction(n), Date.now());
    const { user, system } = process.cpuUsage(before);
    rounds.push((user + system) / count);
  }
  // The first round pays for the compiler.
  const value = rounds.slice(1).sort((a, b) => a - b)[2] ?? Number.NaN;
  return { name: "dispatch.cpu", value, unit: "us", goal: 50, ok: value <= 50 };
}

const pingCommand = command({
  run: subcommand({
    options: { word: option.text({}) },
    run: async (ctx) => notice({ tone: "info", title: "Pong", text: ctx.options.word ?? "" }),
  }),
});

const never = (): never => {
  throw new TypeError("nothing is made in the server here");
};

// Only what `createDispatch` calls of it.
const silentRest = {
  post: async () => undefined,
  patch: async () => undefined,
  delete: async () => undefined,
} as unknown as REST;

function idleServices(): Services {
  const log = createLog({ level: "info", secrets: createSecrets(), write: () => undefined });
  // The ping needs neither a row of the store nor a service.
  const store = { settings: { read: async () => ({ state: "absent" }) } };
  const languages = createLanguages();
  return { log, languages, now: Date.now, random: Math.random, store } as unknown as Services;
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
    member: { user: { id: "3".repeat(18) }, permissions: "2147483648" },
    data: { id: "4", name: "ping", type: 1, options: [{ name: "word", type: 3, value: "hello" }] },
  } as unknown as APIInteraction;
}

interface Load {
  readonly goal: number;
  /** Pictures of 10 megapixels whose composition goes on meanwhile. */
  readonly pictures: number;
}

/**
 * From INTERACTION_CREATE leaving the platform to the acknowledgement arriving there, 50 a second for 10 s, the bot in
 * a process of its own: more than the way inside the bot, never less.
 */
async function acknowledgements(name: string, { goal, pictures }: Load): Promise<BenchRow> {
  const sent = new Map<string, number>();
  const waits: number[] = [];
  const platform = await startPlatform({
    hasLimits: false,
    onGatewayEvent: (event) => {
      if (event.name === "INTERACTION_CREATE") {
        sent.set((event.data as { readonly id: string }).id, performance.now());
      }
    },
    onExchange: ({ path }) => {
      const [, id] = /\/interactions\/(\d+)\//u.exec(path) ?? [];
      const at = sent.get(id ?? "");
      if (at !== undefined) waits.push(performance.now() - at);
    },
  });
  const service = await cannedService();
  const bot = await spawnBot({ platform, backgroundUrl: service.url, seeded: true });
  try {
    // A process that has just started still compiles its own code.
    await interactions(platform, 100);
    waits.length = 0;
    await load(platform, pictures);
    waits.sort((a, b) => a - b);
    const value = waits[Math.floor(waits.length * 0.99)] ?? Number.POSITIVE_INFINITY;
    const floor = waits[Math.floor(waits.length / 2)] ?? 0;
    return { name, value, unit: "ms p99", floor, goal, ok: value <= goal };
  } finally {
    await bot.stop();
    await platform.close();
    service.close();
  }
}

async function load(platform: Platform, pictures: number) {
  const member = platform.people("member");
  const { tiny } = await photoZip();
  const image = { name: "photo.png", type: "image/png", data: tiny };
  const composing = Array.from({ length: pictures }, () =>
    // WebP: long to compose and small to send, so that the platform beside the bot is not what is measured.
    member.command("background remove", { image, format: "webp" }).catch(() => undefined),
  );
  await Promise.all([...composing, interactions(platform, 500)]);
}

/** Fifty a second, each an answer of its own. */
async function interactions(platform: Platform, count: number): Promise<void> {
  const owner = platform.people("owner");
  const pending: Promise<unknown>[] = [];
  for (let n = 0; n < count; n += 1) {
    pending.push(owner.command("connect disconnect").catch(() => undefined));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await Promise.all(pending);
}

/** Answers every cut-out at once with the same 10 megapixels, so that only composing takes time. */
async function cannedService() {
  const { zip } = await photoZip();
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(200, { "content-type": "application/zip", "x-credits-charged": "1" });
      response.end(zip);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1.0`, close: () => server.close() };
}
