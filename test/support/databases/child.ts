import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";

/** A database server as a separate process, on loopback, with its files in a temporary folder. */
export interface DatabaseServer {
  /** Of its first database. */
  readonly url: string;
  readonly port: number;
  readonly folder: string;
  readonly pid: () => number;
  /** Ends it at once, as a power cut would; `start` begins again with the same files. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Stops answering without closing anything, until it is resumed. */
  pause(): void;
  goOn(): void;
  /** Ends it and removes its files. */
  stop(): Promise<void>;
}

/** Ends it at once when this process ends, so that a run that is stopped leaves none behind. */
export function endWithThis(child: ChildProcess): void {
  const end = () => void child.kill("SIGKILL");
  process.once("exit", end);
  child.once("exit", () => process.off("exit", end));
}

export function spawnServer(command: string, args: readonly string[], options: SpawnOptions = {}) {
  const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  endWithThis(child);
  let said = "";
  child.stdout?.on("data", (data) => (said = `${said}${data}`.slice(-4000)));
  child.stderr?.on("data", (data) => (said = `${said}${data}`.slice(-4000)));
  return { child, said: () => said };
}

export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}

/** Asks until the answer is yes. */
export async function until(
  isReady: () => Promise<boolean>,
  { child, said }: ReturnType<typeof spawnServer>,
): Promise<void> {
  const ends = performance.now() + 20_000;
  while (!(await isReady())) {
    if (child.exitCode !== null || performance.now() > ends) {
      throw new Error(`a database server did not start: ${said()}`);
    }
    await wait(20);
  }
}
