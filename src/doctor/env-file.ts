import { readFileSync, statSync } from "node:fs";
import { parseEnv } from "node:util";
import { type Env, unread } from "./configuration.ts";
import { type Finding, ok, skipped, warning } from "./types.ts";

const check = ".env";

/** The file's variables, as `npm start` would load them; the environment goes before them. */
export function readEnvFile(path: string): { env: Env; findings: readonly Finding[] } {
  const text = textOf(path);
  if (text === undefined) {
    return { env: {}, findings: [skipped(check, "there is none; the environment alone is read")] };
  }
  const env = parseEnv(text) as Env;
  const findings = [...modeFindings(path), ...unread(Object.keys(env))];
  return { env, findings: findings.length > 0 ? findings : [ok(check, "only you can read it")] };
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function modeFindings(path: string): readonly Finding[] {
  const mode = sharedMode(path);
  if (mode === undefined) return [];
  const found = `others on this machine may read it (mode ${mode})`;
  return [warning(check, found, `Run: chmod 600 ${path}`)];
}

/** The mode of a file that others may read or write; undefined where they may not, or where modes say nothing. */
export function sharedMode(path: string): string | undefined {
  const mode = statSync(path).mode & 0o777;
  return process.platform === "win32" || (mode & 0o077) === 0 ? undefined : mode.toString(8);
}
