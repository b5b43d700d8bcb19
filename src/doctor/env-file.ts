import { readFileSync, statSync } from "node:fs";
import { parseEnv } from "node:util";
import { type Env, unread } from "./configuration.ts";
import { type Finding, ok, skipped, warning } from "./types.ts";

const check = ".env";

/** The file's variables, as `npm start` would load them; the environment goes before them. */
export interface EnvFile {
  readonly env: Env;
  readonly findings: readonly Finding[];
}

export function readEnvFile(path: string): EnvFile {
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
  if (process.platform === "win32") return [];
  const mode = statSync(path).mode & 0o777;
  if ((mode & 0o077) === 0) return [];
  return [
    warning(
      check,
      `others on this machine may read it (mode ${mode.toString(8)})`,
      `Run: chmod 600 ${path}`,
    ),
  ];
}
