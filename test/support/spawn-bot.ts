import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../src/store/index.ts";
import { endWithThis } from "./databases/child.ts";

/** The options that `npm start` passes to Node. */
export const startFlags = ["--max-semi-space-size=4", "--import", "./src/compile-cache.mjs"];

export interface SpawnOptions {
  readonly platform: { readonly url: string; readonly token: string; readonly guildId: string };
  readonly videoUrl?: string;
  readonly backgroundUrl?: string;
  /** Servers whose YouTube and remove.bg keys are stored before the start; `true` for the stand-in's own server. */
  readonly seeded?: boolean | readonly string[];
  readonly nodeFlags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Continues in the folder of a bot that was stopped or killed. */
  readonly folder?: string;
  readonly masterKey?: string;
}

export interface SpawnedBot {
  readonly child: ChildProcess;
  readonly folder: string;
  readonly masterKey: string;
  /** Every log line so far, parsed. */
  readonly lines: readonly Readonly<Record<string, unknown>>[];
  /** The time from the start of the process until it is logged in. The commands are registered soon after. */
  readonly loginMs: number;
  /** Sends SIGTERM; returns the exit code. */
  stop(options?: { readonly keep?: boolean }): Promise<number | null>;
  /** Sends SIGKILL if the bot has not ended; returns a new bot in the same folder. */
  restart(): Promise<SpawnedBot>;
}

/** The bot as `npm start` runs it: `src/main.ts` in a separate process, connected to Discord's stand-in on loopback. */
export async function spawnBot(options: SpawnOptions): Promise<SpawnedBot> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), "greenroom-bot-"));
  const masterKey = options.masterKey ?? randomBytes(32).toString("base64");
  const url = `sqlite:${join(folder, "bot.sqlite")}`;
  const { seeded = false } = options;
  const guildIds = typeof seeded === "boolean" ? [options.platform.guildId] : seeded;
  if (seeded !== false) await seed(url, masterKey, guildIds);
  const started = performance.now();
  const flags = [...startFlags, ...(options.nodeFlags ?? [])];
  const child = spawn(process.execPath, [...flags, "src/main.ts"], {
    cwd: join(import.meta.dirname, "../.."),
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env.PATH ?? "",
      DISCORD_TOKEN: options.platform.token,
      DISCORD_API_URL: `${options.platform.url}/api`,
      SECRET_KEYS: `main:${masterKey}`,
      STORE_URL: url,
      HEALTH_PORT: "0",
      ...(options.videoUrl === undefined ? {} : { VIDEO_API_URL: options.videoUrl }),
      ...(options.backgroundUrl === undefined ? {} : { BACKGROUND_API_URL: options.backgroundUrl }),
      ...options.env,
    },
  });
  endWithThis(child);
  const lines: Record<string, unknown>[] = [];
  const loggedInAt = await registered(child, lines);
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, "exit");
    child.kill(signal);
    await exit;
  };
  return {
    child,
    folder,
    masterKey,
    lines,
    loginMs: loggedInAt - started,
    stop: async ({ keep = false } = {}) => {
      await end("SIGTERM");
      if (!keep) rmSync(folder, { recursive: true, force: true });
      return child.exitCode;
    },
    restart: async () => {
      await end("SIGKILL");
      return spawnBot({ ...options, seeded: false, folder, masterKey });
    },
  };
}

/** Resolves when people can use the bot; returns the moment at which it had logged in. */
async function registered(child: ChildProcess, lines: Record<string, unknown>[]): Promise<number> {
  if (child.stdout === null || child.stderr === null)
    throw new TypeError("the child has no output");
  let complaint = "";
  child.stderr.on("data", (chunk) => {
    complaint += chunk;
  });
  let loggedInAt = 0;
  return new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the bot ended with ${code}: ${complaint}`)));
    eachLine(child.stdout as NodeJS.ReadableStream, (line) => {
      lines.push(JSON.parse(line) as Record<string, unknown>);
      const { message } = lines.at(-1) ?? {};
      if (message === "connected") loggedInAt = performance.now();
      if (message === "commands are registered") resolve(loggedInAt);
    });
  });
}

/** Node's readline also ends a line at U+2028, which may occur in a field of the log. */
export function eachLine(stream: NodeJS.ReadableStream, take: (line: string) => void): void {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) take(line);
  });
}

async function seed(url: string, masterKey: string, guildIds: readonly string[]) {
  const store = await openStore({
    url,
    keys: [{ id: "main", key: Buffer.from(masterKey, "base64") }],
  });
  const facts = { addedBy: "1".repeat(18), addedAt: Date.now() };
  for (const guildId of guildIds) {
    const video = { kind: "video-key", secret: "video-key-of-a-test", ...facts } as const;
    const image = { kind: "background-key", secret: "image-key-of-a-test", ...facts } as const;
    await store.credentials.write(guildId, video);
    await store.credentials.write(guildId, image);
  }
  await store.close();
}
