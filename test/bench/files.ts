import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { type SpawnedBot, spawnBot } from "../support/spawn-bot.ts";
import type { FirstReads } from "./comments-service.ts";
import type {
  LightApplication,
  LightDiscordOptions,
  LoadQuestion,
  LoadResult,
} from "./light-discord-protocol.ts";
import type { BenchRow, BenchRows } from "./row.ts";
import { startService } from "./service.ts";

export const rows: BenchRows = {
  "memory.files": () => filesRows("memory.files", 10),
  "memory.files.boosted": () => filesRows("memory.files.boosted", 100),
};

const others = 10;
/** Which server asks for each file, in order: 40 times the first, then each other one once. */
const wanted = [
  ...Array.from({ length: 40 }, () => 0),
  ...Array.from({ length: others }, (_, n) => n + 1),
];
const goals = { grownMb: 400, waitMs: 2_000, stallMs: 50 } as const;
const megabyte = 1e6;

/**
 * What it takes when lists of 4,000 long comments are requested as files at once: 40 by one server and one by each of
 * ten others. `attachmentMb` is how much an answer may carry; boosted servers get at most 100.
 */
async function filesRows(name: string, attachmentMb: number): Promise<readonly BenchRow[]> {
  const light: LightDiscordOptions = {
    transport: "gateway",
    activeGuilds: others + 1,
    idleGuilds: 0,
    shards: 1,
  };
  const discord = await startService("light-discord", JSON.stringify(light));
  const video = await startService("comments-service");
  const { token } = await discord.ask<LightApplication>({ kind: "application" });
  const probe = new URL("./loop-probe.ts", import.meta.url).href;
  const bot = await spawnBot({
    platform: { url: discord.url, token, guildId: "" },
    videoUrl: video.url,
    nodeFlags: [`--import=${probe}`],
    seeded: Array.from({ length: others + 1 }, (_, n) =>
      String((166_000_000_000n + BigInt(n)) << 22n),
    ),
  });
  try {
    await discord.ask({ kind: "first" });
    await stallOf(bot);
    const idle = usageOf(bot);
    const most = { resident: 0, onDisk: 0, both: 0 };
    const watching = setInterval(() => {
      const { resident, onDisk } = usageOf(bot);
      most.resident = Math.max(most.resident, resident);
      most.onDisk = Math.max(most.onDisk, onDisk);
      most.both = Math.max(most.both, resident + onDisk);
    }, 50);
    const startedAt = Date.now();
    const question: LoadQuestion = {
      kind: "files",
      path: "comments list",
      attachmentBytes: attachmentMb * 1024 ** 2,
      each: wanted.map((guild, n) => ({ guild, options: { video: videoOf(n), output: "json" } })),
    };
    const result = await discord.ask<LoadResult>(question);
    clearInterval(watching);
    const reads = await video.ask<FirstReads>({});
    const waits = wanted.flatMap((guild, n) =>
      guild === 0 ? [] : [(reads.get(videoOf(n)) ?? Number.POSITIVE_INFINITY) - startedAt],
    );
    const grown = (most.resident - idle.resident) / megabyte;
    const lost = wanted.length - result.answered;
    const wait = Math.max(...waits);
    const stall = await stallOf(bot);
    const row = (part: string, value: number, unit: string, goal: number | null = null) => {
      return { name: `${name}${part}`, value, unit, goal, ok: goal === null || value <= goal };
    };
    return [
      row("", grown, "MB above idle", goals.grownMb),
      row(".disk", most.onDisk / megabyte, "MB of files at once"),
      row(".with-disk", (most.both - idle.resident) / megabyte, "MB above idle, files included"),
      row(".wait", wait, "ms until others begin", goals.waitMs),
      row(".lost", lost, `of ${wanted.length} not sent`, 0),
      row(".stall", stall, "ms of CPU in one go", goals.stallMs),
      row(".time", result.answerMs.max / 1000, "s until all are sent"),
    ];
  } finally {
    await bot.stop();
    await Promise.all([discord.stop(), video.stop()]);
  }
}

function videoOf(n: number): string {
  return `video-${String(n).padStart(5, "0")}`;
}

/** Bytes of the process in memory, and of the unlinked files that it has open. */
function usageOf({ child: { pid } }: SpawnedBot) {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const resident = Number(/VmRSS:\s+(\d+)/u.exec(status)?.[1]) * 1024;
  const onDisk = readdirSync(`/proc/${pid}/fd`).reduce((sum, fd) => {
    return sum + bytesIfUnlinked(`/proc/${pid}/fd/${fd}`);
  }, 0);
  return { resident, onDisk };
}

function bytesIfUnlinked(path: string): number {
  try {
    return readlinkSync(path).endsWith(" (deleted)") ? statSync(path).size : 0;
  } catch {
    // The file was closed meanwhile.
    return 0;
  }
}

/** The longest since the last call. */
async function stallOf({ child, lines }: SpawnedBot): Promise<number> {
  const measured = () => lines.filter(({ message }) => message === "loop");
  const before = measured().length;
  child.kill("SIGUSR2");
  while (measured().length === before) await new Promise((resolve) => setTimeout(resolve, 50));
  return Number(measured().at(-1)?.cpuMs);
}
