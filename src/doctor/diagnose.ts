import { createHttp } from "../http/index.ts";
import { passwordsOf } from "../store/index.ts";
import { addresses } from "./addresses.ts";
import { clock } from "./clock.ts";
import { configuration, type Env, readable } from "./configuration.ts";
import { discord } from "./discord.ts";
import { readEnvFile } from "./env-file.ts";
import { jobs } from "./jobs.ts";
import { registration } from "./registration.ts";
import { running } from "./running.ts";
import { store } from "./store.ts";
import { type Finding, ok, skipped, wrong } from "./types.ts";

export interface DiagnoseOptions {
  /** The process's own; it goes before the file. */
  readonly env: Env;
  /** Path of the file that `npm start` would load. */
  readonly envFile: string;
  readonly now?: () => number;
}

export interface Diagnosis {
  readonly findings: readonly Finding[];
  /** False when nothing else could be looked at. */
  readonly isReadable: boolean;
  /** Values that must not be shown, wherever they may stand. */
  readonly secrets: readonly string[];
}

const oldestNode = 24;

/** Looks at everything that the bot needs, beside a running one or before the first start. */
export async function diagnose({
  env,
  envFile,
  now = Date.now,
}: DiagnoseOptions): Promise<Diagnosis> {
  const file = readEnvFile(envFile);
  const all = { ...file.env, ...env };
  const first = [runtime(), ...file.findings];
  const read = readable(all);
  const secrets = secretsOf(all);
  if ("faults" in read) {
    const rest = skipped("everything else", "the configuration comes first");
    return { findings: [...first, ...read.faults, rest], isReadable: false, secrets };
  }
  const { config } = read;
  const http = createHttp({ now });
  try {
    // What loading takes is nobody's silence.
    await http.warm();
    const practice = { config, http, now };
    const stored = await store(config);
    const [work, reached, known, registered, live] = await Promise.all([
      jobs(config),
      addresses(practice),
      discord(practice),
      registration(practice),
      running(practice),
    ]);
    const findings = [
      ...[...first, ...configuration(config), ...stored, ...work, ...reached.findings],
      ...[...known, registered, clock(reached.answers), ...live],
    ];
    return { findings, isReadable: true, secrets };
  } finally {
    await http.close();
  }
}

function runtime(): Finding {
  const major = Number(process.versions.node.split(".")[0]);
  if (major >= oldestNode) return ok("Node", process.version);
  const advice = "Start it with npm run doctor, which brings its own, or install Node 24 or newer.";
  return wrong("Node", `${process.version} is too old`, advice);
}

/** Also those that could not be read: a token with a space in it is a token. */
function secretsOf(env: Env): readonly string[] {
  const { DISCORD_TOKEN, DISCORD_CLIENT_SECRET, OAUTH_CLIENT_SECRET, SECRET_KEYS, STORE_URL } = env;
  const keys = (SECRET_KEYS ?? "").split(",").map((entry) => entry.slice(entry.indexOf(":") + 1));
  return [
    ...[DISCORD_TOKEN, DISCORD_CLIENT_SECRET, OAUTH_CLIENT_SECRET].filter(
      (each) => each !== undefined,
    ),
    ...keys,
    ...passwordsOf(STORE_URL ?? ""),
  ];
}
