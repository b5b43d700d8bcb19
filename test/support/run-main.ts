import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { childEnvironment } from "./child-environment.ts";

export const mainFile = join(import.meta.dirname, "../../src/main.ts");
/** The master key of every process that starts with `mainEnv`. */
export const mainMasterKey = Buffer.alloc(32, 1).toString("base64");
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Creates a folder that is removed after the tests of the file. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "greenroom-main-"));
  folders.push(folder);
  return folder;
}

/** The environment variables that the program needs to reach a stand-in for Discord on loopback. */
export function mainEnv({ url, token }: { readonly url: string; readonly token: string }) {
  return {
    DISCORD_TOKEN: token,
    DISCORD_API_URL: `${url}/api`,
    SECRET_KEYS: `main:${mainMasterKey}`,
    HEALTH_PORT: "0",
  };
}

export interface RunOptions {
  readonly flags?: readonly string[];
  /** The program's standard input. */
  readonly input?: string;
}

/** Starts the program in its own process and folder, with only this environment. */
export function runMain(env: Readonly<Record<string, string>>, options: RunOptions = {}) {
  const { flags = [], input } = options;
  const cwd = newFolder();
  const child = spawn(process.execPath, [mainFile, ...flags], {
    cwd,
    env: { ...childEnvironment, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.end(input);
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  const said = async (pattern: RegExp) => {
    // Only the test's own timeout limits this: a start may take as long as the machine needs.
    while (child.exitCode === null) {
      const [, found] = pattern.exec(out) ?? [];
      if (found !== undefined) return found;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`never said ${pattern}: ${out}${err}`);
  };
  const ended = once(child, "exit").then(([code]) => ({ code: code as number | null, out, err }));
  return { child, cwd, said, ended };
}
