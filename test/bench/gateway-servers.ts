import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type SpawnedBot, spawnBot } from "../support/spawn-bot.ts";
import type { GatewayReport } from "./gateway-platform.ts";
import type { BenchRow, BenchRows } from "./row.ts";

export const rows: BenchRows = { "scale.servers.gateway": serversOnGateway };

const servers = 100_000;
/** As many as Discord recommends: about one for a thousand servers. */
const shards = 100;
/**
 * What Discord gives bots of this size; below 150,000 servers it is 1, and the last connection is up after nine
 * minutes.
 */
const maxConcurrency = 16;
const mebibyte = 1024 ** 2;

/** One process with all connections of a bot in 100,000 servers. */
async function serversOnGateway(): Promise<BenchRow[]> {
  const script = join(import.meta.dirname, "gateway-platform.ts");
  const discord = fork(script, [servers, shards, maxConcurrency].map(String));
  const [platform] = await once(discord, "message");
  const probe = new URL("./memory-probe.ts", import.meta.url).href;
  const startedAt = Date.now();
  const bot = await spawnBot({ platform, nodeFlags: ["--expose-gc", `--import=${probe}`] });
  try {
    await pause((shards / maxConcurrency + 2) * 6_000);
    const peak = await memoryOf(bot);
    discord.send("stop");
    const [report] = (await once(discord, "message")) as [GatewayReport];
    const first = (report.firstAcknowledgedAt ?? Number.POSITIVE_INFINITY) - startedAt;
    const lost = report.sent - report.acknowledged;
    const name = "scale.servers.gateway";
    return [
      { name, value: peak, unit: "MiB", goal: 450, ok: peak <= 450 && report.ready === shards },
      { name: `${name}.first`, value: first, unit: "ms to ack", goal: 5000, ok: first <= 5000 },
      {
        name: `${name}.lost`,
        value: lost,
        unit: `of ${report.sent} unacknowledged`,
        goal: 0,
        ok: lost === 0 && report.longestMs <= 3_000,
      },
    ];
  } finally {
    await bot.stop();
    discord.kill();
  }
}

/** The most memory that the process ever had resident. */
async function memoryOf(bot: SpawnedBot): Promise<number> {
  bot.child.kill("SIGUSR2");
  for (;;) {
    const line = bot.lines.find(({ message }) => message === "memory");
    if (line !== undefined) return Number(line.peak) / mebibyte;
    await pause(50);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
