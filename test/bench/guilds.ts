import { startPlatform } from "../../src/sandbox/platform/index.ts";
import { spawnBot } from "../support/spawn-bot.ts";
import type { BenchRow, BenchRows } from "./row.ts";

export const rows: BenchRows = { "guild.memory": guildMemory };

const guilds = 10_000;
const mebibyte = 1024 ** 2;

/** Memory of the bot's process with 10,000 idle servers, compared with the same process without them. */
async function guildMemory(): Promise<BenchRow[]> {
  const none = await idle(0);
  const many = await idle(guilds);
  const heap = (many.heapUsed - none.heapUsed) / guilds / 1024;
  const rss = many.rss / mebibyte;
  return [
    { name: "guild.memory", value: heap, unit: "KiB heap a guild", goal: 5, ok: heap <= 5 },
    {
      name: "guild.memory.rss",
      value: rss,
      unit: "MiB",
      floor: none.rss / mebibyte,
      goal: 200,
      ok: rss <= 200,
    },
  ];
}

async function idle(extraGuilds: number): Promise<{ heapUsed: number; rss: number }> {
  const platform = await startPlatform({ extraGuilds });
  // The bot does not know that it is measured: the preloaded file reports on a signal.
  const probe = new URL("./memory-probe.ts", import.meta.url).href;
  const bot = await spawnBot({ platform, nodeFlags: ["--expose-gc", `--import=${probe}`] });
  try {
    await new Promise((resolve) => setTimeout(resolve, 3000));
    bot.child.kill("SIGUSR2");
    for (;;) {
      const line = bot.lines.find(({ message }) => message === "memory");
      if (line !== undefined) return line as unknown as { heapUsed: number; rss: number };
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  } finally {
    await bot.stop();
    await platform.close();
  }
}
