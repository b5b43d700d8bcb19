import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { childEnvironment } from "./child-environment.ts";

/** What is started. */
export const mainFile = join(import.meta.dirname, "../../src/main.ts");
/** Of every process that starts with `mainEnv`. */
export const mainMasterKey = Buffer.alloc(32, 1).toString("base64");
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Removed when the tests of this file are over. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "greenroom-main-"));
  folders.push(folder);
  return folder;
}

/** What it needs to reach a platform on loopback. */
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
  /** What it reads from standard input. */
  readonly input?: string;
}

/** The program in its own process and folder, with only this environment. */
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
    // The test's own end is the only limit: a start takes what the machine takes.
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
