import { existsSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { describeForOperator, exitCodeFor, exitCodes } from "./cli/index.ts";
import { readConfig } from "./config.ts";
import { BotError } from "./errors.ts";
import { createLog, createSecrets, type Log } from "./log.ts";

// Read before anything is awaited: later it may already be another process.
const parent = process.ppid;

/** Over HTTP, balancers look every second or so whether this process is ready. */
const balancerMs = 2_000;

const secrets = createSecrets();
try {
  await main();
} catch (error) {
  exitWith(error);
}

/** For an unexpected failure the stack is shown, which helps to fix it. */
function exitWith(error: unknown): never {
  const words =
    error instanceof BotError
      ? describeForOperator(error)
      : `${error instanceof Error ? error.stack : error}`;
  process.stderr.write(`${secrets.remove(words)}\n`);
  process.exit(exitCodeFor(error));
}

async function main(): Promise<void> {
  readSettings();
  const config = readConfig(process.env);
  const log = createLog({ level: config.logLevel, secrets });
  // If nobody reads the log any more, running work must not be stopped by that.
  process.stdout.on("error", () => undefined);
  logUnexpectedErrors(log);
  if (config.mode === "discord") {
    // A start may wait for a database or for Discord. Until it is done there is nothing to finish.
    let close: () => Promise<void> = async () => undefined;
    stopOnSignals(() => close(), log);
    const { startBot } = await import("./bot.ts");
    const bot = await startBot(config, { log, secrets });
    close = () => bot.close({ graceMs: balancerMs });
    const error = await bot.ended;
    log.error("Discord takes the bot no more", { error });
    await bot.close();
    return exitWith(error);
  }
  const { startSandbox } = await import("./sandbox/index.ts");
  const sandbox = await startSandbox({
    port: config.port,
    dataDir: ".greenroom",
    log,
    secrets,
    hasVisitors: true,
    isFresh: !process.argv.includes("--keep"),
    transport: process.argv.includes("--http") ? "http" : "gateway",
    ...(config.background.rembgUrl !== undefined && { env: { BACKGROUND_ENGINE: "rembg" } }),
  });
  stopOnSignals(sandbox.close, log);
  process.stdout.write(`\nGreenroom's sandbox is ready: ${sandbox.url}\n`);
  process.stdout.write("Open it in a browser; Ctrl+C stops it.\n\n");
}

/**
 * Loads `.env`, and settings from standard input. The environment that a process was started with is readable in `/proc` for
 * every program of the same user, such as a decoder of hostile pictures. Variables that are read here do not appear there.
 * The environment wins.
 */
function readSettings(): void {
  if (existsSync(".env")) process.loadEnvFile();
  if (!process.argv.includes("--settings-from-stdin")) return;
  const standardInput = 0;
  for (const [name, value] of Object.entries(parseEnv(readFileSync(standardInput, "utf8"))))
    process.env[name] ??= value;
}

/** Ends on SIGTERM, SIGINT, and when npm, which started it, is gone. */
function stopOnSignals(close: () => Promise<void>, log: Log): void {
  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info("stopping", { signal });
    await close();
    process.exit(0);
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  if (process.env.npm_lifecycle_event !== undefined) onOrphaned(() => stop("npm ended"));
}

/** npm sends a SIGTERM to the shell between it and this process, and a plain `sh` dies of it without passing it on. */
function onOrphaned(stop: () => void): void {
  const checkMs = 500;
  setInterval(() => {
    if (process.ppid !== parent) stop();
  }, checkMs).unref();
}

/**
 * After an uncaught exception some function has ended halfway, so its data can't be trusted: the exception is logged, with
 * secrets removed, and the process ends. A rejected promise that nobody waited for ends one piece of work, not all.
 */
function logUnexpectedErrors(log: Log): void {
  process.on("uncaughtException", (error) => {
    log.error("ended by an error", { error });
    process.exit(exitCodes.failure);
  });
  process.on("unhandledRejection", (error) => log.error("an unhandled error", { error }));
}
