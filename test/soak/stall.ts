import { randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createModerationRecords } from "../../src/moderation/records/index.ts";
import { startHub } from "../../src/sandbox/hub/index.ts";
import { reservePort } from "../../src/sandbox/listen.ts";
import { startVideo, type VideoServer } from "../../src/sandbox/video/index.ts";
import { openStore } from "../../src/store/index.ts";
import type { BenchRow, BenchRows } from "../bench/row.ts";
import { addFeed } from "../support/add-feed.ts";
import { seed, seeded } from "../support/random.ts";
import { ownRoutes } from "../support/raw-dispatch.ts";
import { command } from "../support/raw-interactions.ts";
import { type SpawnedBot, spawnBot } from "../support/spawn-bot.ts";
import { createInputs, type HostileInput } from "../support/stall/hostile-inputs.ts";
import { type RawGateway, startRawGateway } from "../support/stall/raw-gateway.ts";

export const rows: BenchRows = { stall };

/** Others who use the bot meanwhile must not notice. */
const goalMs = 50;
/** INPUTS in the environment reduces this. */
const inputs = Number(process.env.INPUTS ?? 10_000);
const atOnce = 10;
/** Sent before the measurement, because loading and compiling code on first use is not the fault of hostile input. */
const warmUp = 400;

const guildId = "700000000000000001";
const ownerId = "200000000000000001";
const whose = { guildId, userId: ownerId, permissions: 8n };
const watchId = "ab".repeat(8);
const feedId = "cd".repeat(8);

interface Longest {
  /** By the CPU time of the bot's main thread between two ticks, and by the clock. */
  cpuMs: number;
  clockMs: number;
  input: string;
}

/**
 * Hostile texts and files at every entrance of the bot, which runs in a separate process: how long its event loop was
 * held up at most. Measured by the CPU of its main thread, because the clock would include the machine's other
 * processes. The floor is the same for harmless interactions.
 */
async function stall(): Promise<readonly BenchRow[]> {
  const stage = await openStage();
  const { bot, gateway, close } = stage;
  try {
    const next = await inputsFor(stage);
    for (let n = 0; n < warmUp; n += atOnce) await together(take(next));
    await longestOf(bot);
    const quiet = Array.from({ length: 500 }, () => harmless(gateway));
    const floor = await longestBy(bot, quiet);
    const hostile = Array.from({ length: inputs }, next);
    const { cpuMs, clockMs, input } = await longestBy(bot, hostile);
    console.error(
      `longest by CPU ${cpuMs.toFixed(1)} ms, by the clock ${clockMs.toFixed(1)} ms: ${input}`,
    );
    const ok = cpuMs <= goalMs;
    return [
      {
        name: "stall.longest",
        value: cpuMs,
        unit: "ms",
        floor: floor.cpuMs,
        goal: goalMs,
        ok,
        seed,
      },
    ];
  } finally {
    await close();
  }
}

function take(next: () => HostileInput): readonly HostileInput[] {
  return Array.from({ length: atOnce }, next);
}

function harmless(gateway: RawGateway): HostileInput {
  return { name: "harmless", send: () => gateway.deliver(command("connect disconnect", whose)) };
}

async function together(all: readonly HostileInput[]): Promise<void> {
  await Promise.all(all.map((one) => one.send().catch(() => undefined)));
}

/** Sends some at once, as many people would; if that took long, sends each again alone, to find out which it was. */
async function longestBy(bot: SpawnedBot, all: readonly HostileInput[]): Promise<Longest> {
  const longest: Longest = { cpuMs: 0, clockMs: 0, input: "" };
  for (let at = 0; at < all.length; at += atOnce) {
    const some = all.slice(at, at + atOnce);
    await together(some);
    const { cpuMs, clockMs } = await longestOf(bot);
    longest.clockMs = Math.max(longest.clockMs, clockMs);
    if (cpuMs <= longest.cpuMs && cpuMs <= goalMs) continue;
    const input = cpuMs > goalMs ? await worstOf(bot, some) : "";
    if (cpuMs > goalMs) console.error(`${cpuMs.toFixed(1)} ms, alone ${input}`);
    if (cpuMs > longest.cpuMs) Object.assign(longest, { cpuMs, input });
  }
  return longest;
}

async function worstOf(bot: SpawnedBot, some: readonly HostileInput[]): Promise<string> {
  let worst = { cpuMs: 0, name: "" };
  for (const one of some) {
    await together([one]);
    const { cpuMs } = await longestOf(bot);
    if (cpuMs > worst.cpuMs) worst = { cpuMs, name: one.name };
  }
  return `${worst.cpuMs.toFixed(1)} ms: ${worst.name}`;
}

/** The longest stalls since the last call. */
async function longestOf(bot: SpawnedBot): Promise<{ cpuMs: number; clockMs: number }> {
  const loopLines = () => bot.lines.filter(({ message }) => message === "loop");
  const before = loopLines().length;
  bot.child.kill("SIGUSR2");
  while (loopLines().length === before) {
    if (bot.child.exitCode !== null) throw new Error(`the bot ended with ${bot.child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const { maxMs, cpuMs } = loopLines().at(-1) ?? {};
  return { cpuMs: Number(cpuMs), clockMs: Number(maxMs) };
}

type Stage = Awaited<ReturnType<typeof openStage>>;

async function inputsFor({ gateway, video, hub, source }: Stage): Promise<() => HostileInput> {
  const routes = await ownRoutes();
  const entry = { videoId: "v".repeat(11), channelId: source, channelTitle: "a", title: "b" };
  const { next } = createInputs({
    routes,
    gateway,
    whose,
    random: seeded(seed),
    publish: (body) => hub.publish({ ...entry, publishedAt: Date.now() }, { body }),
    comment: (text) => void video.addComment({ text, status: "heldForReview" }),
  });
  return next;
}

/** The bot as operators run it, with keys, a linked channel, a watch, rules, saved replies and an announced channel. */
async function openStage() {
  const gateway = await startRawGateway({ guildId, ownerId });
  const hub = await startHub();
  const scopes = ["youtube", "youtube.force-ssl", "youtube.upload"];
  const video: VideoServer = await startVideo({
    identify: () => ({ channelId: video.ownChannelId, scopes }),
  });
  // A campaign needs more than a day's quota.
  Object.assign(video.quota, { spend: () => undefined });
  const [source = ""] = [...video.channels.keys()].filter((id) => id !== video.ownChannelId);
  const folder = mkdtempSync(join(tmpdir(), "greenroom-stall-"));
  const masterKey = randomBytes(32).toString("base64");
  await fill(`sqlite:${join(folder, "bot.sqlite")}`, { masterKey, video, source });
  const pages = await reservePort();
  await pages.close();
  const probe = new URL("../bench/loop-probe.ts", import.meta.url).href;
  const bot = await spawnBot({
    platform: { url: gateway.url, token: gateway.token, guildId },
    folder,
    masterKey,
    videoUrl: video.url,
    backgroundUrl: `${gateway.url}/v1.0`,
    nodeFlags: [`--import=${probe}`],
    env: {
      OAUTH_CLIENT_ID: "client",
      OAUTH_CLIENT_SECRET: "client-secret",
      OAUTH_TOKEN_URL: `${gateway.url}/token`,
      PUBLIC_URL: pages.url,
      PORT: new URL(pages.url).port,
      WEBSUB_HUB_URL: hub.url,
      LOG_LEVEL: "info",
    },
  });
  const close = async () => {
    await bot.stop();
    await Promise.all([gateway.close(), hub.close(), video.close()]);
  };
  return { gateway, hub, video, source, bot, close };
}

interface Filling {
  readonly masterKey: string;
  readonly video: VideoServer;
  readonly source: string;
}

async function fill(url: string, { masterKey, video, source }: Filling): Promise<void> {
  const keys = [{ id: "main", key: Buffer.from(masterKey, "base64") }];
  const store = await openStore({ url, keys });
  const facts = { addedBy: ownerId, addedAt: Date.now() };
  const secrets = { "video-key": video.key, "background-key": "image-key-of-a-campaign" } as const;
  for (const [kind, secret] of Object.entries(secrets)) {
    await store.credentials.write(guildId, { kind: kind as "video-key", secret, ...facts });
  }
  await store.credentials.write(guildId, {
    kind: "channel",
    secret: "refresh-token-of-a-campaign",
    ...facts,
    channelId: video.ownChannelId,
    channelTitle: "Own",
    scopes: ["youtube", "youtube.force-ssl", "youtube.upload"].map(
      (scope) => `https://www.googleapis.com/auth/${scope}`,
    ),
  });
  const moderation = createModerationRecords(store.database, { put: async () => undefined });
  await moderation.watches.change(guildId, watchId, () => ({
    id: watchId,
    channelId: "1",
    source: video.ownChannelId,
    ...facts,
    states: ["heldForReview"],
    paceMs: 10_000,
    digestFrom: 5,
  }));
  await moderation.rules.change(guildId, () => ({
    rules: [
      {
        id: "ab12cd34",
        name: "Birds",
        does: "suggest",
        decision: "hold",
        isOn: true,
        test: { kind: "words", words: ["bird*", "free *"], isFolded: true },
        ...facts,
      },
      {
        id: "ab12cd35",
        name: "Links",
        does: "suggest",
        decision: "hold",
        isOn: true,
        test: { kind: "links", allowed: [] },
        ...facts,
      },
    ],
    spared: { members: false, authors: [] },
    dailyCap: 10,
  }));
  await moderation.replies.put(guildId, { id: "ab12cd34", name: "Thanks", text: "Thank you" });
  await addFeed(store.database, guildId, {
    id: feedId,
    source,
    title: "Channel",
    titleReadAt: Date.now(),
    uploads: source.replace(/^UC/u, "UU"),
    places: { upload: { channelId: "1" } },
    ...facts,
  });
  await store.close();
}
