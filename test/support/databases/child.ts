import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";

/** A database server as a separate process, on loopback, with its files in a temporary folder. */
export interface DatabaseServer {
  /** The address of the server's first database. */
  readonly url: string;
  readonly port: number;
  readonly folder: string;
  readonly pid: () => number;
  /** Ends the server at once, as a power cut would; `start` starts it again with the same files. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Stops answering without closing anything, until it is resumed. */
  pause(): void;
  goOn(): void;
  /** Ends the server and removes its files. */
  stop(): Promise<void>;
}

/** Kills the child when this process ends, so that a run that is stopped leaves no processes behind. */
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

/** Repeats the question until the answer is yes. */
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
