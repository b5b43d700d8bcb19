import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPlatform } from "../../src/sandbox/platform/index.ts";
import { spawnBot, startFlags } from "../support/spawn-bot.ts";
import type { BenchRow, BenchRows } from "./row.ts";

export const rows: BenchRows = {
  "start.login": async () => [await startToLogin()],
  "start.ready": async () => [await sandboxReady()],
};

const rounds = 11;
const root = join(import.meta.dirname, "../..");
const flags = startFlags.map((flag) => flag.replace("./src", join(root, "src")));

/**
 * From the start of the process until it is logged in, compared in turns with a process that only imports the packages.
 */
async function startToLogin(): Promise<BenchRow> {
  const platform = await startPlatform();
  const whole: number[] = [];
  const imports: number[] = [];
  try {
    for (let round = 0; round <= rounds; round += 1) {
      imports.push(importAlone());
      const bot = await spawnBot({ platform });
      whole.push(bot.loginMs);
      await bot.stop();
    }
  } finally {
    await platform.close();
  }
  // The first round fills the compile cache.
  const floor = median(imports.slice(1));
  const ms = median(whole.slice(1));
  const value = ms / floor;
  return { name: "start.login", value, unit: "ratio", floor: 1, goal: 1.2, ok: value <= 1.2 };
}

function importAlone(): number {
  const script = `await Promise.all(["discord.js", "undici", "keyv", "kysely", "lru-cache", "pino", "zod", "node:sqlite"].map((name) => import(name)));`;
  const started = performance.now();
  spawnSync(process.execPath, [...startFlags, "--input-type=module", "--eval", script], {
    cwd: root,
  });
  return performance.now() - started;
}

/** `npm start` without configuration, from the start of the process to its address, without npm's own time. */
async function sandboxReady(): Promise<BenchRow> {
  const times: number[] = [];
  for (let round = 0; round < 3; round += 1) times.push(await startOnce());
  const value = median(times);
  return { name: "start.ready", value, unit: "ms", goal: 3000, ok: value <= 3000 };
}

async function startOnce(): Promise<number> {
  const cwd = mkdtempSync(join(tmpdir(), "greenroom-start-"));
  const started = performance.now();
  const child = spawn(process.execPath, [...flags, join(root, "src/main.ts")], {
    cwd,
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH: process.env.PATH ?? "" },
  });
  const took = await new Promise<number>((resolve, reject) => {
    child.once("exit", () => reject(new Error("the sandbox ended")));
    child.stdout.on("data", (chunk: Buffer) => {
      if (chunk.includes("http://127.0.0.1")) resolve(performance.now() - started);
    });
  });
  await new Promise((resolve) => {
    child.once("exit", resolve);
    child.kill("SIGTERM");
  });
  rmSync(cwd, { recursive: true, force: true });
  return took;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
