import { existsSync } from "node:fs";
import { readConfig } from "./config.ts";
import { ConfigError } from "./errors.ts";
import { createLog, createSecrets, type Log } from "./log.ts";

// Read before anything is waited for: later it may be another already.
const parent = process.ppid;

/** Exit codes: 1 for a fault of ours, 2 for configuration that must be mended before another start makes sense. */
const exitCodes = { fault: 1, configuration: 2 } as const;

try {
  await main();
} catch (error) {
  if (error instanceof ConfigError) {
    process.stderr.write(`${error.message}\n${error.hint}\n`);
    process.exit(exitCodes.configuration);
  }
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(exitCodes.fault);
}

async function main(): Promise<void> {
  if (existsSync(".env")) process.loadEnvFile();
  const config = readConfig(process.env);
  const secrets = createSecrets();
  const log = createLog({ level: config.logLevel, secrets });
  // A log that nobody reads any more must not end the work that is under way.
  process.stdout.on("error", () => undefined);
  tellBeforeEnding(log);
  if (config.mode === "discord") {
    const { startBot } = await import("./bot.ts");
    const bot = await startBot(config, { log, secrets });
    stopOnSignals(bot.close, log);
    return;
  }
  const { startSandbox } = await import("./sandbox/index.ts");
  const sandbox = await startSandbox({
    ...{ port: config.port, dataDir: ".greenroom", log, secrets },
    hasVisitors: true,
  });
  stopOnSignals(sandbox.close, log);
  process.stdout.write(`\nGreenroom's sandbox is ready: ${sandbox.url}\n`);
  process.stdout.write("Open it in a browser; Ctrl+C stops it.\n\n");
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

/** npm hands a SIGTERM to the shell between it and us, and a plain `sh` dies of it without passing it on. */
function onOrphaned(stop: () => void): void {
  const checkMs = 500;
  setInterval(() => {
    if (process.ppid !== parent) stop();
  }, checkMs).unref();
}

/** A fault nobody caught still goes through the log, which knows what must not be shown, before it ends the process. */
function tellBeforeEnding(log: Log): void {
  const tell = (error: unknown) => {
    log.error("ended by a fault", { error });
    process.exit(exitCodes.fault);
  };
  process.on("uncaughtException", tell);
  process.on("unhandledRejection", tell);
}
